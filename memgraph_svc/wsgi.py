"""What gunicorn serves: ``memgraph_svc.wsgi:app``."""

from __future__ import annotations

from memgraph_svc.app import create_app

app = create_app()
