import { expect, it, onTestFinished } from 'vitest';
import { ENTRY_LIMITS } from '../../../src/journeys/index.js';
import { atCode, codeFor, HostedClient, plain, startHosted } from '../../support/hosted-client.js';
import { sharedService } from '../../support/shared-service.js';
import { otherThan } from './code-bench.js';
import { expectWords } from '../hosted-steps/step-journey.js';

const DAY = 86_400_000;

/** Both languages have the same placeholders, so one is enough. */
it('each page that says a limit says what it is set to', async () => {
  const service = await sharedService();
  const shipped = { ...ENTRY_LIMITS };
  onTestFinished(() => void Object.assign(ENTRY_LIMITS, shipped));
  // Numbers that the pages contain for no other reason.
  Object.assign(ENTRY_LIMITS, {
    linkDays: 5,
    linksAnHour: 17,
    codeMinutes: 11,
    codeTries: 4,
    sessionIdleMinutes: 41,
  });
  const pageAt = async (path: string) =>
    plain((await new HostedClient(service.baseUrl).get(path)).text);
  expect(await pageAt('/hosted/link/sent')).toContain('17 links an hour');
  expect(await pageAt('/hosted/link')).toContain('after 41 minutes');
  const start = await startHosted(service);
  const client = await atCode(service, start);
  expectWords(client.page!, 'alid for 11 minutes');
  const wrong = { code: otherThan(await codeFor(service, start.mobile)) };
  for (let tries = 0; tries < 4; tries += 1) await client.submit(wrong);
  expectWords(client.page!, 'entered 4 times');
  const { link } = await startHosted(service);
  await service.travel(5 * DAY + 60_000);
  expect(await pageAt(link)).toContain('for 5 days');
});
