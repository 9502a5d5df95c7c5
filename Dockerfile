# One image for every process of Sightline, and one for trying out:
#   docker build -t sightline:0.1.0 .
#   docker build -t sightline:0.1.0-cuda --target cuda .
#   docker build -t sightline-s3:0.1.0 --target s3 .
# Where images are pushed add --sbom=true --provenance=true --build-arg REVISION="$(git rev-parse HEAD)". Only the
# console is built; nothing else of Sightline is compiled or bundled.

FROM node:24-bookworm AS build
WORKDIR /src
COPY . .
RUN --mount=type=cache,target=/root/.npm npm ci --omit=dev --ignore-scripts --no-fund --no-audit
RUN node scripts/image/write-image-folder.ts /image && chmod -R a+rX,go-w /image

# CUDA's part of onnxruntime, of exactly the version of onnxruntime-node, from the wheel of the same build.
FROM python:3.12-bookworm AS cuda-provider
COPY --from=build /src/node_modules/onnxruntime-node/package.json /tmp/
COPY scripts/image/cuda-provider.txt /tmp/
RUN grep -qF "onnxruntime-gpu==$(python3 -c "import json; print(json.load(open('/tmp/package.json'))['version'])") " /tmp/cuda-provider.txt \
  && pip download --no-deps --require-hashes --only-binary :all: --platform manylinux_2_28_x86_64 --python-version 3.12 \
    -d /tmp/wheel -r /tmp/cuda-provider.txt \
  && mkdir /provider \
  && for name in cuda shared; do \
    python3 -c "import sys, zipfile; sys.stdout.buffer.write(zipfile.ZipFile(sys.argv[1]).read('onnxruntime/capi/libonnxruntime_providers_' + sys.argv[2] + '.so'))" \
      /tmp/wheel/*.whl "$name" > "/provider/libonnxruntime_providers_$name.so" || exit; \
  done \
  && readelf -d /provider/libonnxruntime_providers_cuda.so | grep -qF 'libcudart.so.13'

# MinIO publishes no images any more.
FROM golang:1.26-bookworm AS s3-build
RUN CGO_ENABLED=0 GOBIN=/out go install github.com/minio/minio@v0.0.0-20260212201848-7aac2a2c5b7c

FROM gcr.io/distroless/static-debian13 AS s3
LABEL org.opencontainers.image.title="MinIO" org.opencontainers.image.licenses="AGPL-3.0-only" \
  org.opencontainers.image.source="https://github.com/minio/minio"
COPY --from=s3-build /out/minio /minio
USER 10001:10001
ENTRYPOINT ["/minio"]

# The provider asks for CUDA 13 and cuDNN 9.
FROM nvidia/cuda:13.1.1-cudnn-runtime-ubuntu24.04 AS cuda
ARG REVISION
LABEL org.opencontainers.image.title="Sightline (CUDA)" org.opencontainers.image.licenses="Apache-2.0" \
  org.opencontainers.image.revision=$REVISION
COPY --from=build /image /app
COPY --from=cuda-provider /provider /app/node_modules/onnxruntime-node/bin/napi-v6/linux/x64
WORKDIR /app
ENV NODE_ENV=production HOME=/tmp SIGHTLINE_CONSOLE_DIR=/app/console
USER 10001:10001
ENTRYPOINT ["/app/node"]

# glibc, libstdc++ and certificates, and no shell. Node is process 1, and handles SIGTERM.
FROM gcr.io/distroless/cc-debian13 AS cpu
ARG REVISION
LABEL org.opencontainers.image.title="Sightline" org.opencontainers.image.licenses="Apache-2.0" \
  org.opencontainers.image.revision=$REVISION
COPY --from=build /image /app
WORKDIR /app
ENV NODE_ENV=production HOME=/tmp SIGHTLINE_CONSOLE_DIR=/app/console
USER 10001:10001
ENTRYPOINT ["/app/node"]
