import { openRedirect } from '../support/redirect-visit.ts';
import type { Replica } from './replica.ts';

/** Approves on the simulated provider's page, as a browser does. Any request may be lost. */
export async function approveOnPage(link: string, replica: Replica): Promise<void> {
  try {
    const page = await follow(on(replica, link));
    await fetchWhole(on(replica, page), {
      method: 'POST',
      body: new URLSearchParams({ decision: 'approve' }),
    });
  } catch {
    // The process was killed during the request. The applicant tries again.
  }
}

function on(replica: Replica, link: string): string {
  const url = new URL(link);
  return replica.baseUrl + url.pathname + url.search;
}

async function follow(link: string): Promise<string> {
  const location = (await openRedirect(link, fetchWhole)).headers.get('location');
  if (location === null) throw new Error('the link leads nowhere');
  return location;
}

/** Reads the whole response, so that none is left half read when the process is killed. */
export async function fetchWhole(url: string, request: RequestInit = {}): Promise<Response> {
  const response = await fetch(url, {
    ...request,
    redirect: 'manual',
    signal: AbortSignal.timeout(20_000),
  });
  const text = await response.text();
  return new Response(text === '' ? null : text, response);
}
