# TensorFlow and Horovod for the CPU, and distify: what `distify verify` needs, and the examples.
#
#   docker build -t distify .
#   docker run --rm -v "$PWD:/work" -u "$(id -u):$(id -g)" distify distify verify train.py
FROM python:3.11-slim-bookworm AS build
SHELL ["/bin/bash", "-o", "pipefail", "-c"]
RUN apt-get update \
 && apt-get install --yes --no-install-recommends build-essential cmake \
 && rm -rf /var/lib/apt/lists/*
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1 PATH="/opt/distify/bin:$PATH"
RUN python -m venv /opt/distify
WORKDIR /source
COPY constraints-horovod.txt ./
RUN pip install -c constraints-horovod.txt setuptools wheel tensorflow-cpu==2.15.1
# Compiled against this TensorFlow, with Horovod's own rendezvous (Gloo), so that no MPI is needed.
RUN MAKEFLAGS="-j$(nproc)" HOROVOD_WITH_TENSORFLOW=1 HOROVOD_WITH_GLOO=1 HOROVOD_WITHOUT_MPI=1 \
    HOROVOD_WITHOUT_PYTORCH=1 HOROVOD_WITHOUT_MXNET=1 \
    pip install --no-build-isolation -c constraints-horovod.txt horovod==0.28.1
COPY . ./
RUN pip install -c constraints-horovod.txt '.[pr]'

FROM python:3.11-slim-bookworm
# git for --commit, ssh for workers on several machines.
RUN apt-get update \
 && apt-get install --yes --no-install-recommends git openssh-client \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --create-home distify
COPY --from=build /opt/distify /opt/distify
ENV PATH="/opt/distify/bin:$PATH" HOME=/home/distify TF_CPP_MIN_LOG_LEVEL=2
RUN python -c 'import horovod.tensorflow.keras as hvd; hvd.init(); assert hvd.gloo_built()' \
 && distify --version
USER distify
WORKDIR /work
CMD ["distify", "--help"]
