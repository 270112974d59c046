# The API alone. Neo4j runs beside it: see docker-compose.yml, or set NEO4J_URI to a server of yours.

FROM python:3.13-slim AS build
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
RUN python -m venv /opt/memgraph
WORKDIR /src
COPY pyproject.toml README.md LICENSE ./
COPY memgraph_svc ./memgraph_svc
COPY cypher ./cypher
RUN /opt/memgraph/bin/pip install ".[fast,embed]"

FROM python:3.13-slim
RUN useradd --system --uid 10001 --home-dir /var/lib/memgraph --create-home memgraph
COPY --from=build /opt/memgraph /opt/memgraph
ENV PATH=/opt/memgraph/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    MEMGRAPH_HOST=0.0.0.0 \
    MEMGRAPH_PORT=8787 \
    MEMGRAPH_DATA_DIR=/var/lib/memgraph
USER memgraph
WORKDIR /var/lib/memgraph
EXPOSE 8787
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=6 \
  CMD ["python", "-c", "import os, urllib.request as u; u.urlopen('http://127.0.0.1:' + os.environ['MEMGRAPH_PORT'] + '/health/ready', timeout=4)"]
CMD ["gunicorn", "-c", "python:memgraph_svc.gunicorn_conf", "memgraph_svc.wsgi:app"]
