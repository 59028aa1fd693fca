const PLACEHOLDER = /\{\{\s*(\w+)\s*\}\}/g;
const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';

type Escape = (value: string) => string;

interface FilledRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface RequestTemplate {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** Escapes each value for its place, so that it is never read as part of the request. */
export function fillRequest(
  template: RequestTemplate,
  values: Readonly<Record<string, string>>,
): FilledRequest {
  const headers = Object.fromEntries(
    Object.entries(template.headers).map(([name, value]) => [
      name.toLowerCase(),
      fill(value, values, inHeader),
    ]),
  );
  const url = fill(template.url, values, encodeURIComponent);
  const { body } = template;
  if (body === null) return { url, headers, body: '' };
  headers['content-type'] ??= /^\s*[{[]/.test(body) ? JSON_TYPE : FORM_TYPE;
  return { url, headers, body: fill(body, values, escapeFor(headers['content-type'])) };
}

function fill(template: string, values: Readonly<Record<string, string>>, escape: Escape): string {
  return template.replace(PLACEHOLDER, (_, name: string) =>
    escape(Object.hasOwn(values, name) ? values[name] : ''),
  );
}

function escapeFor(contentType: string): Escape {
  const [type = ''] = contentType.toLowerCase().split(';', 1);
  if (/[/+]json$/.test(type.trim())) return inJson;
  if (/[/+]xml$/.test(type.trim())) return inXml;
  return type.trim() === FORM_TYPE ? encodeURIComponent : (value) => value;
}

/** Without quotes: they are in the template. */
function inJson(value: string): string {
  return JSON.stringify(value).slice(1, -1);
}

const XML_ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

function inXml(value: string): string {
  return value.replaceAll(/[&<>"']/g, (sign) => XML_ENTITIES[sign]);
}

/** Header values are printable ASCII; the rest, above all line breaks, is percent-encoded. */
function inHeader(value: string): string {
  return value.replaceAll(/[^\x20-\x7e]+/g, encodeURIComponent);
}
