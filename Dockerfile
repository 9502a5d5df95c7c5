# syntax=docker/dockerfile:1
# One image for every process of Sightline, and one for trying out:
#   docker build -t sightline:0.1.0 .
#   docker build -t sightline:0.1.0-cuda --target cuda .
#   docker build -t sightline-s3:0.1.0 --target s3 .
# Add --sbom=true --provenance=true where images are pushed. Nothing of Sightline is compiled or bundled.

FROM node:24-bookworm AS build
WORKDIR /src
COPY . .
RUN --mount=type=cache,target=/root/.npm npm ci --omit=dev --ignore-scripts --no-fund --no-audit
RUN node scripts/image/write-image-folder.ts /image

# CUDA's part of onnxruntime, of exactly the version of onnxruntime-node.
FROM build AS cuda-provider
ARG CUDA_PROVIDER_SHA256=
RUN version="$(node -p "require('/src/node_modules/onnxruntime-node/package.json').version")" \
  && curl -fsSL -o /tmp/provider.zip "https://www.nuget.org/api/v2/package/Microsoft.ML.OnnxRuntime.Gpu.Linux/$version" \
  && { [ -z "$CUDA_PROVIDER_SHA256" ] || echo "$CUDA_PROVIDER_SHA256 /tmp/provider.zip" | sha256sum -c -; } \
  && unzip -j /tmp/provider.zip \
    runtimes/linux-x64/native/libonnxruntime_providers_cuda.so \
    runtimes/linux-x64/native/libonnxruntime_providers_shared.so -d /provider

# MinIO publishes no images any more.
FROM golang:1.26-bookworm AS s3-build
RUN CGO_ENABLED=0 GOBIN=/out go install github.com/minio/minio@v0.0.0-20260212201848-7aac2a2c5b7c

FROM gcr.io/distroless/static-debian12 AS s3
COPY --from=s3-build /out/minio /minio
USER 10001:10001
ENTRYPOINT ["/minio"]

# It asks for CUDA 12 and cuDNN 9.
FROM nvidia/cuda:12.9.1-cudnn-runtime-ubuntu24.04 AS cuda
LABEL org.opencontainers.image.title="Sightline (CUDA)" org.opencontainers.image.licenses="Apache-2.0"
COPY --from=build /image /app
COPY --from=cuda-provider /provider /app/node_modules/onnxruntime-node/bin/napi-v6/linux/x64
WORKDIR /app
ENV NODE_ENV=production HOME=/tmp
USER 10001:10001
ENTRYPOINT ["/app/node"]

# glibc, libstdc++ and certificates, and no shell. Node is process 1, and handles SIGTERM.
FROM gcr.io/distroless/cc-debian12 AS cpu
LABEL org.opencontainers.image.title="Sightline" org.opencontainers.image.licenses="Apache-2.0"
COPY --from=build /image /app
WORKDIR /app
ENV NODE_ENV=production HOME=/tmp
USER 10001:10001
ENTRYPOINT ["/app/node"]
