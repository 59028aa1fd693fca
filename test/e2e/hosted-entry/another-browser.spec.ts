import { beforeAll, describe, expect, it, vi } from 'vitest';
import { REDIRECT_STEPS } from '../../../src/journey-steps/index.js';
import { HostedClient, plain, startHosted } from '../../support/hosted-client.js';
import type { TestService } from '../../support/service.js';
import { sharedService } from '../../support/shared-service.js';
import { StepJourney, TEST_MS } from '../hosted-steps/step-journey.js';

vi.setConfig({ testTimeout: TEST_MS, hookTimeout: TEST_MS });

const SENTENCE = {
  en: 'Go back to the browser where you started.',
  hi: 'उसी ब्राउज़र पर लौटें जिसमें शुरू किया था।',
};

let service: TestService;

beforeAll(async () => {
  service = await sharedService();
});

describe('a return from a provider in another browser than the one that is signed in', () => {
  it('says where to go on, whatever the step', async () => {
    for (const language of ['en', 'hi'] as const) {
      const browser = new HostedClient(service.baseUrl, { language });
      for (const step of REDIRECT_STEPS) {
        const page = await browser.open(`/hosted/returned/${step}`);
        expect([page.path, page.status]).toEqual([`/hosted/returned/${step}`, 200]);
        expect(plain(page.text)).toContain(SENTENCE[language]);
        expect(page.text).toContain('href="/hosted/link"');
      }
    }
  });

  it('leaves the first browser where it was, which goes on', async () => {
    const journey = await StepJourney.at('KYC_PENDING', service);
    const other = await new HostedClient(service.baseUrl).open('/hosted/returned/KYC');
    expect(plain(other.text)).toContain(SENTENCE.en);
    expect((await journey.view()).state).toBe('KYC_PENDING');
    await journey.client.open('/hosted/returned/KYC');
    await journey.reaches('BANK_ACCOUNT_PENDING');
  });

  it('is the sign-in for a browser whose session has ended, or was never confirmed', async () => {
    const ended = new HostedClient(service.baseUrl);
    ended.cookies.set('session', 'of-another-day');
    expect((await ended.get('/hosted/returned/KYC')).location).toBe('/hosted/link');
    const begun = new HostedClient(service.baseUrl);
    await begun.open((await startHosted(service)).link);
    await begun.send303();
    expect((await begun.get('/hosted/returned/KYC')).location).toBe('/hosted/code');
  });

  it('is no page for what is no step', async () => {
    const { status } = await new HostedClient(service.baseUrl).get('/hosted/returned/NOTHING');
    expect(status).toBe(404);
  });
});
