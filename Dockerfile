# The page of `prico serve`, compiled while the image is built:
#   docker build -t prico . && docker run --rm --read-only -p 8000:8000 prico
FROM python:3.14-slim
# A cache for any processor of this kind, not just for the one that builds the image.
ENV PRICO_CACHE_DIR=/opt/prico NUMBA_CPU_NAME=generic NUMBA_CPU_FEATURES="" PYTHONDONTWRITEBYTECODE=1
COPY . /src
RUN pip install --no-cache-dir "/src[serve]" && rm -r /src
RUN prico warm && chmod -R a+rX,a-w /opt/prico
USER 65534:65534
EXPOSE 8000
CMD ["prico", "serve", "--host", "0.0.0.0"]
