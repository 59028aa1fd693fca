import { beforeAll, describe, expect, it, vi } from 'vitest';
import { servedRoutes } from '../../support/served-routes.js';
import { serviceOfFile } from '../../support/shared-service.js';
import { StepJourney, TEST_MS } from '../hosted-steps/step-journey.js';

// PostgreSQL cannot store NUL, nor half of a surrogate pair in JSON. The service must answer such a text with a client
// error, wherever it comes from.

vi.setConfig({ testTimeout: TEST_MS, hookTimeout: TEST_MS });

const UNKEEPABLE = ['a%00b', '%ED%A0%80'];

const service = serviceOfFile();
let journey: StepJourney;

beforeAll(async () => {
  journey = await StepJourney.at('OFFERS_RECEIVED', service);
});

/** Every route of the service, with its parameters as `:name`. */
function routes(method: string): string[] {
  const found = servedRoutes(service).filter((route) => route.method === method);
  return [...new Set(found.map(({ path }) => path))];
}

function hostileTargets(method: string): string[] {
  return routes(method).flatMap((path) =>
    UNKEEPABLE.map((text) => {
      const names = ['lang', 'amount', 'notice', 'mobile', 'v'];
      const query = names.map((name) => `${name}=${text}`).join('&');
      return `${path.replaceAll(/:\w+/g, text)}?${query}`;
    }),
  );
}

/** Expects no 5xx at these addresses. */
async function expectNoFailure(
  targets: readonly string[],
  send: (target: string) => Promise<{ status: number }>,
): Promise<void> {
  const failed: string[] = [];
  for (const target of targets) {
    const { status } = await send(target);
    if (status >= 500) failed.push(`${status} ${target}`);
  }
  expect(failed).toEqual([]);
}

describe('a text that cannot be kept', () => {
  it('in an address or a cookie of the pages is not a failure of the service', async () => {
    const get = async (target: string, cookie: string) => {
      const answer = await fetch(service.baseUrl + target, {
        headers: { cookie },
        redirect: 'manual',
      });
      await answer.arrayBuffer();
      return answer;
    };
    const own = [...journey.client.cookies].map((pair) => pair.join('=')).join('; ');
    const targets = hostileTargets('GET');
    expect(targets.some((target) => target.startsWith('/hosted/offers/'))).toBe(true);
    await expectNoFailure(targets, (target) => get(target, own));
    const pages = ['/hosted', '/workbench'];
    await expectNoFailure(pages, (page) => get(page, 'session=a%00; workbench=a%00'));
  });

  it('in an address or a field of a form is not a failure of the service', async () => {
    const offer = (await journey.view()).offers[0];
    const { text: page } = await journey.client.open(`/hosted/offers/${offer.offerId}`);
    const csrf = /name="csrf" value="([^"]+)"/.exec(page)![1];
    const targets = [
      ...hostileTargets('POST'),
      ...routes('POST').filter((path) => !/:/.test(path)),
    ];
    const names = ['mobile', 'code', 'link', 'fullName', 'agree', 'shown', 'outcome', 'method'];
    names.push('loanAmount', 'branchId', 'accNo');
    for (const text of ['a\0b', '\ud800']) {
      const fields = Object.fromEntries(names.map((name) => [name, text]));
      await expectNoFailure(targets, (target) => journey.client.post(target, { csrf, ...fields }));
    }
  });
});
