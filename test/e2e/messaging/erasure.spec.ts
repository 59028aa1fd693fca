import { beforeAll, describe, expect, it } from 'vitest';
import { runAdmin } from '../../support/admin-command.js';
import { journeyIn } from '../../support/journey-driver.js';
import { partnerClient } from '../../support/partner-client.js';
import type { TestService } from '../../support/service.js';
import { sharedService } from '../../support/shared-service.js';
import { SmsBench } from './sms-bench.js';

const APPLICANT = { mobile: '9812121212', pan: 'SANDX0001A' };

let service: TestService;
let bench: SmsBench;

beforeAll(async () => {
  service = await sharedService();
  bench = new SmsBench(service);
});

describe('erasing an applicant by command', () => {
  it('takes the messages, too: those on their way and those in the sandbox’s inbox', async () => {
    const { id: subjectId } = await journeyIn(partnerClient(service), 'REJECTED', APPLICANT);
    const sent = await bench.put({ subjectId, applicant: APPLICANT });
    await bench.smsOutbox.handOver(sent);
    await bench.reaches(sent, 'HANDED_OVER');
    const down = { ...APPLICANT, pan: 'SANDX0011A' };
    const waiting = await bench.put({ subjectId, applicant: down });
    expect(await bench.smsOutbox.handOver(waiting)).toBe(false);

    const { code } = await runAdmin(
      service.databaseUrl,
      'applicants',
      'erase',
      '--journey',
      subjectId,
    );
    expect(code).toBe(0);
    expect(await bench.record(sent)).toMatchObject({ status: 'HANDED_OVER', content: null });
    expect(await bench.record(waiting)).toMatchObject({ status: 'CANCELLED', content: null });
    const answer = await fetch(`${service.baseUrl}/sandbox/inbox.json?mobile=${APPLICANT.mobile}`);
    expect(await answer.json()).toEqual({ success: true, data: { messages: [] } });
  });
});
