import { hiddenIn } from './instant-loans.ts';

/** The target of the form before the first provider of a headless journey. */
const FORM = /<form method="post" action="(\/r\/[^"]+\/acknowledgement)"/;

/** Opens a redirect link as the applicant does. */
export async function openRedirect(url: string, send = sendPlainly): Promise<Response> {
  const first = await send(url);
  if (first.status !== 200) return first;
  const html = await first.clone().text();
  const action = FORM.exec(html)?.[1];
  if (action === undefined) return first;
  return send(new URL(action, url).href, {
    method: 'POST',
    headers: { cookie: cookiesOf(first) },
    body: new URLSearchParams({ ...hiddenIn(html), hasRead: '1' }),
  });
}

/** Opens a redirect link as the applicant does; returns the final target. */
export async function followRedirect(url: string): Promise<Response> {
  const { headers } = await openRedirect(url);
  return fetch(headers.get('location') ?? '');
}

function sendPlainly(url: string, request: RequestInit = {}): Promise<Response> {
  return fetch(url, { ...request, redirect: 'manual' });
}

function cookiesOf({ headers }: Response): string {
  return headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
}
