/** The output of a program: the label of an identity that it stored and read, and the code of a problem. */
export interface Printed {
  readonly label: string;
  readonly code: string;
}

/**
 * Programs that store an identity named `Ada LANGUAGE`, read it, and ask for one that does not exist, each with a generated
 * client and with its types. `SIGHTLINE_URL` and `SIGHTLINE_KEY` name the service.
 */
export const TYPESCRIPT = `
import type { paths } from './sightline.ts';

type Create = paths['/api/identities']['post'];
type Read = paths['/api/identities/{id}']['get']['responses'];

const { SIGHTLINE_URL, SIGHTLINE_KEY } = process.env as Record<string, string>;
const headers = { 'X-API-Key': SIGHTLINE_KEY!, 'Content-Type': 'application/json' };

async function ask<T>(path: string, init: object = {}): Promise<T> {
  return (await (await fetch(SIGHTLINE_URL + path, { headers, ...init })).json()) as T;
}

const body: Create['requestBody']['content']['application/json'] = {
  label: 'Ada TypeScript',
  type: 'face',
};
type Created = Create['responses'][201]['content']['application/json'];
const { id } = await ask<Created>('/api/identities', { method: 'POST', body: JSON.stringify(body) });
const path = '/api/identities/';
const { label } = await ask<Read[200]['content']['application/json']>(path + id);
const { code } = await ask<Read[404]['content']['application/problem+json']>(path + '999999999');
console.log(JSON.stringify({ label, code }));
`;

export const PYTHON = `
import json
import os

from sightline_client import AuthenticatedClient
from sightline_client.api.identities import create_identity, get_identity
from sightline_client.models import CreateIdentityRequest, DetectionType

client = AuthenticatedClient(
    base_url=os.environ["SIGHTLINE_URL"],
    token=os.environ["SIGHTLINE_KEY"],
    prefix="",
    auth_header_name="X-API-Key",
)
body = CreateIdentityRequest(label="Ada Python", type_=DetectionType.FACE)
created = create_identity.sync(client=client, body=body)
read = get_identity.sync(created.id, client=client)
missing = get_identity.sync(999999999, client=client)
print(json.dumps({"label": read.label, "code": missing.code}))
`;

export const GO = `
package main

import (
	"context"
	"encoding/json"
	"net/http"
	"os"

	"example/sightline"
)

func main() {
	key := func(_ context.Context, request *http.Request) error {
		request.Header.Set("X-API-Key", os.Getenv("SIGHTLINE_KEY"))
		return nil
	}
	client, err := sightline.NewClientWithResponses(os.Getenv("SIGHTLINE_URL"), sightline.WithRequestEditorFn(key))
	must(err)
	ctx := context.Background()
	body := sightline.CreateIdentityRequest{Label: "Ada Go", Type: "face"}
	created, err := client.CreateIdentityWithResponse(ctx, nil, body)
	must(err)
	read, err := client.GetIdentityWithResponse(ctx, created.JSON201.Id, nil)
	must(err)
	missing, err := client.GetIdentityWithResponse(ctx, 999999999, nil)
	must(err)
	must(json.NewEncoder(os.Stdout).Encode(map[string]any{
		"label": read.JSON200.Label,
		"code":  missing.ApplicationproblemJSON404.Code,
	}))
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
`;
