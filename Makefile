# Everything runs on the Node that the lockfile names; only npm is the machine's.
SHELL := /bin/bash
.DEFAULT_GOAL := help

# Resolved when a recipe runs, because the packages may have to be installed first.
NODE = node="$$(scripts/node-path)" && "$$node"
JEST = $(NODE) --experimental-vm-modules --no-warnings node_modules/jest/bin/jest.js
# npm writes the first at each installation, so that a manual `npm ci` counts, too.
PRODUCTION = node_modules/.package-lock.json
DEVELOPMENT = node_modules/.development
NPM_FLAGS = --no-fund --no-audit --no-update-notifier --loglevel=error

# The engine sets this in the service; tests and benchmarks also run onnxruntime without the engine.
export ORT_DISABLE_TELEMETRY = 1

# Separate targets, so that `make -j2 check` uses two cores.
CHECKS = check-format check-lint check-types check-imports check-generated check-openapi check-unused check-words

.PHONY: help start up console demo backup restore test cluster test-cluster e2e e2e-mishaps e2e-others tools browser check $(CHECKS) format generate screenshots bench bench-cluster bench-quality soak audit sbom clean

help: ## List all commands
	@grep -hE '^[a-z0-9-]+:.*##' $(MAKEFILE_LIST) | awk -F':.*## ' '{printf "  make %-13s %s\n", $$1, $$2}'

$(PRODUCTION): package-lock.json package.json $(wildcard $(addsuffix /package.json, apps/* packages/* packages/adapters/* operator test))
	@echo "Installing what runs: once, about 360 MB from the npm registry, a minute or two"
	@npm ci --omit=dev $(NPM_FLAGS)
	@touch $@

# `npm install` only adds here, because the lockfile has not changed: a service that runs keeps its files.
$(DEVELOPMENT): $(PRODUCTION)
	@echo "Installing what tests and checks need: once, about 150 MB more"
	@npm install --no-save --prefer-offline $(NPM_FLAGS)
	@touch $@

# Builds the console if its sources have changed. The variable names another build, or is "off".
WITH_CONSOLE = node="$$(scripts/node-path)" \
  && console="$${SIGHTLINE_CONSOLE_DIR:-$$("$$node" apps/console/build/main.ts)}" \
  && export SIGHTLINE_CONSOLE_DIR="$$console" && "$$node"

start: $(PRODUCTION) ## Run Sightline in one process (SIGHTLINE_MODELS_DIR=folder of models)
	@$(WITH_CONSOLE) apps/standalone/src/main.ts $(ARGS)

up: $(PRODUCTION) tools ## Run the whole platform as processes of this machine (SIGHTLINE_PORT=first port)
	@$(WITH_CONSOLE) apps/dev-platform/src/main.ts $(ARGS)

console: $(DEVELOPMENT) ## Run Vite's server of the console before a running service (ARGS="--api URL --port PORT")
	@$(NODE) apps/console/build/develop.ts $(ARGS)

demo: $(PRODUCTION) ## Recognize faces in a drawn group (or PHOTO=photo, or FOLDER=folder of people with photos)
	@$(NODE) apps/demo/src/main.ts $${PHOTO:+"--photo=$$PHOTO"} $${FOLDER:+"--folder=$$FOLDER"} \
	  $${ENROLL:+"--enroll=$$ENROLL"} $${OUT:+"--out=$$OUT"}

backup: $(PRODUCTION) ## Stop the service and copy its data (TO=folder of backups)
	@$(NODE) apps/cli/src/main.ts backup --to "$(or $(TO),./backups)" $(ARGS)

restore: $(PRODUCTION) ## Copy a backup into an empty data folder (FROM=backup)
	@test -n "$(FROM)" || { echo "FROM is missing: make restore FROM=backups/sightline-..." >&2; exit 1; }
	@$(NODE) apps/cli/src/main.ts restore "$(FROM)"

test: $(DEVELOPMENT) ## Run all tests, or those whose path matches (FILES=pattern)
	@$(JEST) $(FILES)

cluster: ## Build the programs of a Kubernetes cluster for tests (once, with Go, 7 minutes or more)
	@test/support/cluster/build.sh

test-cluster: $(DEVELOPMENT) cluster ## Run the tests on a Kubernetes API server
	@$(JEST) test/cluster

# The two halves take about the same time, on a node each. With cgroups v2 the nodes share a cgroup, so they take turns.
E2E_NODES = $(if $(wildcard /sys/fs/cgroup/memory),2,1)

e2e: $(DEVELOPMENT) tools cluster ## Run the tests on Kubernetes nodes with real pods (as root)
	@test/support/cluster/packages.sh
	@$(MAKE) --no-print-directory --jobs=$(E2E_NODES) --output-sync=line e2e-mishaps e2e-others

e2e-mishaps: SUITES = test/e2e/mishaps
e2e-others: SUITES = test/e2e --testPathIgnorePatterns=test/e2e/mishaps
e2e-mishaps e2e-others:
	@node="$$(scripts/node-path)" && NAME=sightline-$@ test/support/cluster/e2e.sh "$$node" --experimental-vm-modules \
	  --no-warnings node_modules/jest/bin/jest.js --runInBand --verbose $(SUITES)

tools: ## Link, build or fetch what tests use (Qdrant, Garage, MinIO, Kafka, Chromium), unless it is there
	@scripts/install-tools

browser: ## Install Debian's Chromium for the tests of the console (as root), unless there is one
	@scripts/find-chromium >/dev/null || scripts/install-chromium

screenshots: $(DEVELOPMENT) browser ## Write pictures of all pages of the console, and those of the README (ARGS="--photos FOLDER": with photos of people)
	@$(NODE) test/console/screenshots/main.ts $(ARGS)

check: $(CHECKS) ## Format, lint, types, import rules, generated files, OpenAPI document, unused code, wording

check-format: $(DEVELOPMENT)
	@$(NODE) node_modules/prettier/bin/prettier.cjs --check . --log-level warn

check-lint: $(DEVELOPMENT)
	@$(NODE) node_modules/oxlint/bin/oxlint --config oxlint.config.ts --quiet --format unix

check-types: $(DEVELOPMENT)
	@$(NODE) node_modules/typescript/bin/tsc --noEmit
	@$(NODE) node_modules/typescript/bin/tsc --noEmit --project apps/console

check-imports: $(DEVELOPMENT)
	@$(NODE) scripts/check-imports.ts

check-generated: $(DEVELOPMENT)
	@$(NODE) scripts/write-endpoints.ts --check
	@$(NODE) scripts/write-kernels.ts --check
	@$(NODE) scripts/write-docs.ts --check
	@$(NODE) scripts/write-crds.ts --check
	@$(NODE) scripts/write-charts.ts --check

check-openapi: $(DEVELOPMENT)
	@$(NODE) scripts/check-openapi.ts

check-unused: $(DEVELOPMENT)
	@$(NODE) node_modules/knip/bin/knip.js

check-words: $(DEVELOPMENT)
	@$(NODE) scripts/check-words.ts

format: $(DEVELOPMENT) ## Format all files
	@$(NODE) node_modules/prettier/bin/prettier.cjs --write . --log-level warn

generate: $(DEVELOPMENT) ## Rewrite what is computed from the code: lists of endpoints, kernels, pages of docs/, types and copies of custom resources, rendered charts
	@$(NODE) scripts/write-endpoints.ts
	@$(NODE) scripts/write-kernels.ts
	@$(NODE) scripts/write-docs.ts
	@$(NODE) scripts/write-crds.ts
	@$(NODE) scripts/write-charts.ts

bench: $(DEVELOPMENT) tools ## Measure speed (ARGS=--write: into docs/performance.md)
	@$(NODE) test/bench/main.ts $(ARGS)

bench-cluster: $(DEVELOPMENT) tools cluster ## Measure the operator, and API pods and switches of models on a Kubernetes node, as root (ARGS=--write: into docs/performance.md)
	@$(NODE) test/bench/main.ts --operator $(ARGS)
	@test/support/cluster/packages.sh
	@node="$$(scripts/node-path)" && for part in switches api-pods; do \
	  NAME=sightline-bench test/support/cluster/e2e.sh "$$node" test/bench/main.ts --$$part $(ARGS) || exit; \
	done

bench-quality: $(DEVELOPMENT) ## Measure how well the models recognize (ARGS=--write: into docs/models)
	@$(NODE) test/quality/main.ts $(ARGS)

soak: $(DEVELOPMENT) tools ## Run the long tests: large sets, many rounds of hostile input
	@export SIGHTLINE_TEST_SOAK=1; $(JEST) --testTimeout=1800000 $(FILES)

audit: $(DEVELOPMENT) ## Check the packages: advisories and signatures of the registry
	@$(NODE) scripts/audit.ts

sbom: $(DEVELOPMENT) ## List all packages, those of the development marked (reports/sbom.cdx.json, CycloneDX)
	@mkdir -p reports
	@npm sbom --sbom-format cyclonedx --sbom-type application > reports/sbom.cdx.json
	@echo "The packages are listed in reports/sbom.cdx.json."

clean: ## Remove everything installed or built here, but not data/
	rm -rf node_modules */node_modules apps/*/node_modules packages/*/node_modules packages/adapters/*/node_modules coverage reports .cache
