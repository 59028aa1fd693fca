// Isolated: a pool of two connections, which the environment says.
import { describe, expect, it, vi } from 'vitest';
import { Database } from '../../../src/platform/index.js';
import {
  ApplicantBrowser,
  applyForInstantLoan,
  choosableIn,
  untilOffered,
} from '../../support/instant-loans.js';
import { journeyIn } from '../../support/journey-driver.js';
import { loanRequest } from '../../support/loan-requests.js';
import { partnerClient } from '../../support/partner-client.js';
import { startService } from '../../support/service.js';

// Many journeys; on a busy machine they take their time.
vi.setConfig({ testTimeout: 90_000 });

describe('a service whose every connection is in use', () => {
  const MANY = 40;

  it('serves them all from its first moment, and when its configuration has just changed', async () => {
    const service = await startService({ environment: { DATABASE_POOL: '2' } });
    try {
      const partner = partnerClient(service);
      const startMany = async () => {
        const answers = await Promise.all(
          Array.from({ length: MANY }, () => partner.initiate(loanRequest())),
        );
        return answers.filter(({ status }) => status !== 200).map(({ json }) => json.error);
      };
      expect(await startMany()).toEqual([]);
      const database = service.get<Database>(Database);
      await database.query('UPDATE configuration SET revision = revision + 1');
      await service.travel(1_000);
      expect(await startMany()).toEqual([]);
      await Promise.all(
        Array.from({ length: 12 }, (_, index) => {
          const productCode = index % 2 ? 'ONLINE_GOLD' : 'ONLINE_PERSONAL';
          return journeyIn(partner, 'SANCTIONED', { productCode });
        }),
      );
    } finally {
      await service.close();
    }
  });

  it('lets applicants choose and pay all at once, each on one connection', async () => {
    const service = await startService({ environment: { DATABASE_POOL: '2' } });
    try {
      const partner = partnerClient(service);
      const applicants = await Promise.all(
        Array.from({ length: 8 }, async () => {
          const { json } = await applyForInstantLoan(partner);
          const browser = new ApplicantBrowser();
          const { text } = await untilOffered(browser, json.data.redirectUrl);
          const [, other] = choosableIn(text);
          return { browser, other, page: json.data.redirectUrl };
        }),
      );
      const chosen = await Promise.all(
        applicants.map(({ browser, page, other }) => browser.choose(page, other)),
      );
      expect(chosen.map(({ status }) => status)).toEqual(applicants.map(() => 303));
      const pressed = await Promise.all(applicants.map(({ browser, page }) => browser.press(page)));
      expect(pressed.map(({ status }) => status)).toEqual(applicants.map(() => 303));
    } finally {
      await service.close();
    }
  });
});
