import { beforeAll, expect, it, vi } from 'vitest';
import { type LenderReply, type NewQuestion, QuestionOutbox } from '../../../src/lenders/index.js';
import { Database } from '../../../src/platform/index.js';
import { SandboxLender } from '../../../src/sandbox/index.js';
import { eventually } from '../../support/eventually.js';
import type { TestService } from '../../support/service.js';
import { sharedService } from '../../support/shared-service.js';

// More than the places of all lenders.
const QUESTIONS = 60;
const PLACES_A_LENDER = 16;

let service: TestService;

beforeAll(async () => {
  service = await sharedService();
});

async function put(lenderCode: string, count: number): Promise<void> {
  const questions = Array.from({ length: count }, (_, place): NewQuestion => ({
    partnerId: service.partnerId,
    subjectId: `absent-${place}`,
    lenderCode,
    kind: 'OFFERS',
    reference: '1',
    payload: {
      subjectKind: 'JOURNEY',
      applicationId: `absent-${place}`,
      productCode: 'ONLINE_PERSONAL',
      loanAmount: 100_000_00,
      applicant: { mobile: '9876543210', pan: 'ABCPE1234F' },
    },
  }));
  const outbox = service.get<QuestionOutbox>(QuestionOutbox);
  await service.get<Database>(Database).transaction((tx) => outbox.putAll(tx, questions));
}

it('a lender that hangs holds sixteen places of a process, and another one is asked beside it', async () => {
  const asked: string[] = [];
  let release = (): void => undefined;
  const later: LenderReply = { status: 'PENDING', askAgainInMs: 3_600_000 };
  const released = new Promise<LenderReply>((resolve) => (release = () => resolve(later)));
  vi.spyOn(service.get<SandboxLender>(SandboxLender), 'ask').mockImplementation(({ lender }) => {
    asked.push(lender.code);
    return lender.code === 'navdhara' ? released : Promise.resolve(later);
  });
  await put('navdhara', QUESTIONS);
  await eventually(() => asked.length >= PLACES_A_LENDER);
  await put('kaverisetu', 1);
  await eventually(() => asked.includes('kaverisetu'));
  expect(asked.filter((code) => code === 'navdhara')).toHaveLength(PLACES_A_LENDER);
  release();
  await eventually(() => asked.length === QUESTIONS + 1);
});
