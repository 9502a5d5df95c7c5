/**
 * Empties the fields of all forms. Swagger UI fills them with samples and sends them all, but a request may have only
 * one source for an image.
 */
function emptyForms(response) {
  if (!response.url.endsWith('/openapi.json')) return response;
  const document = JSON.parse(response.text);
  for (const path of Object.values(document.paths)) {
    const form = path.post?.requestBody?.content['multipart/form-data'];
    for (const field of Object.values(form?.schema.properties ?? {})) {
      if (field.type !== 'array') field.example = '';
    }
  }
  response.text = JSON.stringify(document);
  return response;
}

function omitEmptyFields(request) {
  if (!(request.body instanceof FormData)) return request;
  for (const [name, value] of [...request.body]) {
    if (value === '') request.body.delete(name);
  }
  return request;
}

SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#docs',
  deepLinking: true,
  displayRequestDuration: true,
  validatorUrl: null,
  requestInterceptor: omitEmptyFields,
  responseInterceptor: emptyForms,
});
