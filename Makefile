# Everything runs on the Node that the lockfile names; only npm comes from the machine.
SHELL := /bin/bash
.DEFAULT_GOAL := help

# Asked for when a recipe runs, because the packages may have to be installed first.
NODE = node="$$(scripts/node-path)" && "$$node"
JEST = $(NODE) --experimental-vm-modules --no-warnings node_modules/jest/bin/jest.js
INSTALLED = node_modules/.package-lock.json

# The engine sees to it in the service; tests and benchmarks also run onnxruntime without it.
export ORT_DISABLE_TELEMETRY = 1

# Each by itself, so that `make -j2 check` has two cores at work.
CHECKS = check-format check-lint check-types check-imports check-docs check-unused

.PHONY: help start up demo backup restore test record-qdrant tools check $(CHECKS) format docs bench bench-quality soak clean

help: ## Show this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | awk -F':.*## ' '{printf "  make %-13s %s\n", $$1, $$2}'

$(INSTALLED): package-lock.json package.json $(wildcard apps/*/package.json packages/*/package.json packages/adapters/*/package.json test/package.json)
	@echo "Installing the packages: once, about 450 MB from the npm registry, a minute or two"
	@npm ci --no-fund --no-audit --no-update-notifier --loglevel=error
	@touch $@

start: $(INSTALLED) ## Run Sightline in one process (SIGHTLINE_MODELS_DIR=folder of models)
	@$(NODE) apps/standalone/src/main.ts $(ARGS)

up: $(INSTALLED) tools ## Run the whole platform as processes of this machine (SIGHTLINE_PORT=first port)
	@$(NODE) apps/dev-platform/src/main.ts $(ARGS)

demo: $(INSTALLED) ## See it at work (PHOTO=photo, or FOLDER=folder of people with photos)
	@$(NODE) apps/demo/src/main.ts $${PHOTO:+"--photo=$$PHOTO"} $${FOLDER:+"--folder=$$FOLDER"} \
	  $${ENROLL:+"--enroll=$$ENROLL"} $${OUT:+"--out=$$OUT"}

backup: $(INSTALLED) ## Stop the service and copy its data (TO=folder of backups)
	@$(NODE) apps/cli/src/main.ts backup --to "$(or $(TO),./backups)" $(ARGS)

restore: $(INSTALLED) ## Put a backup into an empty data folder (FROM=backup)
	@test -n "$(FROM)" || { echo "Say which backup: make restore FROM=backups/sightline-..." >&2; exit 1; }
	@$(NODE) apps/cli/src/main.ts restore "$(FROM)"

test: $(INSTALLED) ## Run all tests (FILES=pattern for some of them)
	@$(JEST) $(FILES)

record-qdrant: $(INSTALLED) ## Record anew what tests replay of Qdrant (SIGHTLINE_TEST_QDRANT_URL, or Docker)
	@export SIGHTLINE_TEST_QDRANT_RECORD=1; $(JEST) test/contract/vectors-qdrant.test

tools: ## Build the servers that tests run against (MinIO), if they are not there
	@scripts/install-tools

check: $(CHECKS) ## Format, lint, types, import rules, unused code

check-format: $(INSTALLED)
	@$(NODE) node_modules/prettier/bin/prettier.cjs --check . --log-level warn

check-lint: $(INSTALLED)
	@$(NODE) node_modules/eslint/bin/eslint.js . --max-warnings 0

check-types: $(INSTALLED)
	@$(NODE) node_modules/typescript/bin/tsc --noEmit

check-imports: $(INSTALLED)
	@$(NODE) scripts/check-imports.ts

check-docs: $(INSTALLED)
	@$(NODE) scripts/write-docs.ts --check

check-unused: $(INSTALLED)
	@$(NODE) node_modules/knip/bin/knip.js

format: $(INSTALLED) ## Rewrite files in the house format
	@$(NODE) node_modules/prettier/bin/prettier.cjs --write . --log-level warn

docs: $(INSTALLED) ## Rewrite the pages that are computed from the code
	@$(NODE) scripts/write-docs.ts

bench: $(INSTALLED) tools ## Measure the engine and the service against a bare loop
	@$(NODE) test/bench/main.ts $(ARGS)

bench-quality: $(INSTALLED) ## Measure how well the models recognise (ARGS=--write: into docs/models)
	@$(NODE) test/quality/main.ts $(ARGS)

soak: $(INSTALLED) tools ## The long tests: large sets, many rounds of hostile input
	@export SIGHTLINE_TEST_SOAK=1; $(JEST) --testTimeout=1800000 $(FILES)
	@export SIGHTLINE_TEST_SOAK=1; $(NODE) test/bench/main.ts --search

clean: ## Remove what was installed or built here (data/ stays)
	rm -rf node_modules apps/*/node_modules packages/*/node_modules packages/adapters/*/node_modules test/node_modules coverage reports .cache
