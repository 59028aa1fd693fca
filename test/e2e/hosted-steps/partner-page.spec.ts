import { beforeAll, describe, expect, it, vi } from 'vitest';
import { plain } from '../../support/hosted-client.js';
import type { TestService } from '../../support/service.js';
import { sharedService } from '../../support/shared-service.js';
import { StepJourney, TEST_MS, wordsOf } from './step-journey.js';

vi.setConfig({ testTimeout: TEST_MS, hookTimeout: TEST_MS });

let service: TestService;

beforeAll(async () => {
  service = await sharedService();
});

async function textOf(query: string): Promise<string> {
  const response = await fetch(`${service.baseUrl}/sandbox/partner${query}`);
  expect(response.status).toBe(200);
  return response.text();
}

describe('the page that simulates the partner’s app', () => {
  it('is where the last page of the demonstration partner’s journey leads, as it is shipped', async () => {
    const { client, start } = await StepJourney.at('SANCTIONED', service);
    const page = await client.open('/hosted');
    const href = plain(/class="btn" href="([^"]+)"/.exec(page.text)![1]);
    expect(href.startsWith(`${service.baseUrl}/sandbox/partner?`)).toBe(true);
    const back = await client.open(href);
    expect([back.status, back.heading]).toEqual([200, 'Back at the partner']);
    const words = wordsOf(back);
    for (const text of ['This is a simulation', start.id, 'SANCTIONED', 'is no proof'])
      expect(words).toContain(text);
    expect(words).not.toContain('redirect-returned');
  });

  it('tells what comes next after a step, and shows nothing that the service would not tell', async () => {
    const next = await textOf(`?journeyId=jrn_${'0'.repeat(32)}&step=MANDATE`);
    for (const text of [`jrn_${'0'.repeat(32)}`, 'MANDATE', 'redirect-returned'])
      expect(next).toContain(text);
    for (const query of [
      '?journeyId=%3Cb%3Eevil%3C%2Fb%3E&outcome=CALL-1800-EVIL&step=evil',
      '?step=evil&step=KYC&journeyId[evil]=1&outcome[]=EVIL',
    ]) {
      const text = await textOf(query);
      expect(text).toContain('Back at the partner');
      expect(text).not.toMatch(/<dl class="summary-list">/);
      // Only the language form contains the address.
      const main = text.slice(text.indexOf('<main'), text.indexOf('</main>'));
      expect(main).not.toMatch(/evil/i);
    }
  });
});
