import { beforeAll, describe, expect, it, vi } from 'vitest';
import { servedRoutes } from '../../support/served-routes.js';
import type { TestService } from '../../support/service.js';
import { sharedService } from '../../support/shared-service.js';
import { StepJourney, TEST_MS } from '../hosted-steps/step-journey.js';

// PostgreSQL cannot store NUL, nor half of a surrogate pair in JSON. The service must answer such a text with a client
// error, wherever it comes from.

vi.setConfig({ testTimeout: TEST_MS, hookTimeout: TEST_MS });

const UNKEEPABLE = ['a%00b', '%ED%A0%80'];

let service: TestService;
let journey: StepJourney;

beforeAll(async () => {
  service = await sharedService();
  journey = await StepJourney.at('OFFERS_RECEIVED', service);
});

/** Every route of the service, with its parameters as `:name`. */
function routes(method: string): string[] {
  const found = servedRoutes(service).filter((route) => route.method === method);
  return [...new Set(found.map(({ path }) => path))];
}

/** The service's 5xx statuses, by address. */
async function failures(
  targets: readonly string[],
  send: (target: string) => Promise<number>,
): Promise<string[]> {
  const failed: string[] = [];
  for (const target of targets) {
    const status = await send(target);
    if (status >= 500) failed.push(`${status} ${target}`);
  }
  return failed;
}

function hostileTargets(method: string): string[] {
  return routes(method).flatMap((path) =>
    UNKEEPABLE.flatMap((text) => {
      const filled = path.replaceAll(/:\w+/g, text);
      const query = `?lang=${text}&amount=${text}&notice=${text}&mobile=${text}&v=${text}`;
      return filled + query;
    }),
  );
}

describe('a text that cannot be kept', () => {
  it('in an address of the pages is not a failure of the service, signed in or not', async () => {
    const { cookies } = journey.client;
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const get = async (target: string, headers: Record<string, string>) => {
      const answer = await fetch(service.baseUrl + target, { headers, redirect: 'manual' });
      await answer.arrayBuffer();
      return answer.status;
    };
    const targets = hostileTargets('GET');
    expect(targets.some((target) => target.startsWith('/hosted/offers/'))).toBe(true);
    expect(await failures(targets, (target) => get(target, { cookie }))).toEqual([]);
    expect(await failures(targets, (target) => get(target, { cookie: 'session=a%00' }))).toEqual(
      [],
    );
  });

  it('in an address or a field of a form is not a failure of the service', async () => {
    const offer = (await journey.view()).offers[0];
    const { text: page } = await journey.client.open(`/hosted/offers/${offer.offerId}`);
    const csrf = /name="csrf" value="([^"]+)"/.exec(page)![1];
    const targets = [
      ...hostileTargets('POST'),
      ...routes('POST').filter((path) => !/:/.test(path)),
    ];
    const send = async (target: string, text: string) => {
      const fields = {
        mobile: text,
        code: text,
        link: text,
        fullName: text,
        agree: text,
        shown: text,
      };
      const more = { outcome: text, method: text, loanAmount: text, branchId: text, accNo: text };
      const { status } = await journey.client.post(target, { csrf, ...fields, ...more });
      return status;
    };
    expect(await failures(targets, (target) => send(target, 'a\0b'))).toEqual([]);
    expect(await failures(targets, (target) => send(target, '\ud800'))).toEqual([]);
  });
});
