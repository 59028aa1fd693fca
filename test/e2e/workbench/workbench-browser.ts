import { expect } from 'vitest';
import type { TestKey } from '../auth/auth-harness.js';
import { HostedClient } from '../../support/hosted-client.js';
import type { TestService } from '../../support/service.js';

/** The path of a new link that a key requests. */
export async function linkOf({ client }: Pick<TestKey, 'client'>): Promise<string> {
  const { status, json } = await client.call<{ url: string }>('POST', '/workbench-links', {});
  expect([status, json.error]).toEqual([200, undefined]);
  return new URL(json.data.url).pathname;
}

/** A browser that signed in with a new link of a key, on the overview. */
export async function entered(
  service: TestService,
  key: Pick<TestKey, 'client'>,
): Promise<HostedClient> {
  const browser = new HostedClient(service.baseUrl);
  await browser.open(await linkOf(key));
  const page = await browser.send303();
  expect([page.path, page.status]).toEqual(['/workbench', 200]);
  return browser;
}
