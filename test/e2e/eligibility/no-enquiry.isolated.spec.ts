// Isolated: its lenders are separate processes that record enquiries.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { configure } from '../../support/kept-configuration.js';
import { RemoteLenderStage } from '../../support/remote-lender-stage.js';
import { JourneyBench } from '../journeys/journey-bench.js';
import { ASKED, type Eligibility } from './asked.js';

let stage: RemoteLenderStage;
let journeys: JourneyBench;

beforeAll(async () => {
  stage = await RemoteLenderStage.open();
  journeys = new JourneyBench(stage.service);
  await configure(stage.service, `UPDATE lenders SET remote = remote || '{ "eligibility": true }'`);
});

afterAll(async () => {
  await journeys?.close();
  await stage?.close();
});

it('an eligibility call makes no enquiry and opens no application at any lender; offers do', async () => {
  const { json } = await journeys.demo.post<Eligibility>('/eligibility', ASKED);
  expect(json.data.lenders.map(({ lenderCode, verdict }) => [lenderCode, verdict])).toEqual([
    ['kaverisetu', 'UNLIKELY'],
    ['navdhara', 'LIKELY'],
    ['tarangudyam', 'UNKNOWN'],
  ]);
  const asked = await stage.lenders.books();
  expect(asked.questions.map(({ call, timesAsked }) => [call, timesAsked])).toEqual(
    Array.from({ length: 3 }, () => ['eligibilities', 1]),
  );
  expect([asked.enquiries, asked.applications]).toEqual([[], []]);
  await journeys.startWithOffers();
  expect((await stage.lenders.books()).enquiries).toHaveLength(3);
});

it('lenders and service accept each other’s signatures when the sandbox’s time and theirs were moved by an hour', async () => {
  await stage.travel(3_600_000);
  const { json } = await journeys.demo.post<Eligibility>('/eligibility', ASKED);
  const verdicts = json.data.lenders.map(({ verdict }) => verdict);
  expect(verdicts).toEqual(['UNLIKELY', 'LIKELY', 'UNKNOWN']);
});
