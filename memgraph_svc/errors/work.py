"""Errors of the work itself: the request is well formed, but the memory it speaks of is not in a state for it.

In: nothing. Out: classes of refusals by the graph's rules and of derivations that failed.
"""

from __future__ import annotations

from memgraph_svc.errors.base import ServiceError


class DedupeConflict(ServiceError):
    """The dedupe key is already used by an episode with other content; use a new key for new content."""

    code = "dedupe_conflict"


class DedupeTombstoned(ServiceError):
    """The dedupe key belongs to an episode that was deleted; it is not stored again."""

    code = "dedupe_tombstoned"


class JobState(ServiceError):
    """The job is not in a state for that; look at it first."""

    code = "job_state"


class ProvenanceRequired(ServiceError):
    """Derived memory needs a source: this is its last one; delete the memory itself instead."""

    code = "provenance_required"


class SourcesChanged(ServiceError):
    """The sources of a derivation changed while it was made; it is made again from what is there now."""

    code = "sources_changed"
    retryable = True


class ExtractorFault(ServiceError):
    """An extractor plugin failed on an episode; the episode is stored, and extraction is tried again."""

    code = "extractor_failed"
    retryable = True


class ExtractorTimeout(ExtractorFault):
    """An extractor plugin took too long for an episode and was ended; raise MEMGRAPH_EXTRACTOR_TIMEOUT_S if it needs to."""

    code = "extractor_timeout"


class LinkCircle(ServiceError):
    """The link would close a circle: what it starts from already rests on, or is replaced by, what it leads to."""

    code = "link_circle"
