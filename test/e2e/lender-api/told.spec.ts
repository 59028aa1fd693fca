import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { APPLICANT, LenderBench } from './lender-bench.js';
import type { Told } from './rinpath-stand-in.js';

describe('what the reference lender tells unasked', () => {
  const bench = new LenderBench({ isTold: true });

  beforeAll(() => bench.start());
  afterAll(() => bench.stop());

  const told = (holds: (message: Told) => boolean) => bench.rinpath.told.filter(holds);
  const answersTo = (key: string) => told(({ body }) => body.questionId === key);
  const settled = async () => {
    const { messages } = await bench.books();
    return messages.every(({ endedAt }) => endedAt !== null);
  };

  it('is the verdict on what was pending, once, and the same as when asked again', async () => {
    const chosen = await bench.choose();
    await bench.sign(chosen);
    const key = 'qst_told';
    const pending = await bench.ask('disbursements', bench.payoutFields(chosen), { key });
    expect(pending.status).toBe(202);
    await expect.poll(() => answersTo(key)).toHaveLength(1);
    const [message] = answersTo(key);
    expect(message).toMatchObject({ lender: 'navdhara', path: 'answers' });
    expect(message.body).toMatchObject({ question: 'DISBURSEMENTS', answer: { verdict: 'PAID' } });
    const again = await bench.ask('disbursements', bench.payoutFields(chosen), { key });
    expect(again.body).toEqual(message.body.answer);
    expect(message.key).toBe(again.body.answerId);
    await expect.poll(settled).toBe(true);
    expect(answersTo(key)).toHaveLength(1);
  });

  it('is signed for the address that it is sent to', async () => {
    const [message] = bench.rinpath.told;
    const htu = `${bench.rinpath.url}/lender-api/v1/${message.lender}/${message.path}`;
    expect(message.claims).toMatchObject({ htm: 'POST', htu, b64: false });
  });

  it('is nothing about what was answered at once', async () => {
    await bench.askOffers({}, { key: 'qst_at_once' });
    await expect.poll(settled).toBe(true);
    expect(answersTo('qst_at_once')).toEqual([]);
  });

  it('is told again, under the same id, until it is taken', async () => {
    const { reference } = await paidLoan();
    bench.rinpath.refusals.push(503, 401);
    const order = { lender: 'navdhara', loanReference: reference, event: 'MANDATE_REVOKED' };
    const { body } = await bench.admin('POST', '/loan-events', order);
    await expect.poll(() => told(({ key }) => key === body.id)).toHaveLength(3);
    await expect.poll(settled).toBe(true);
  });

  it('is told again when somebody else has answered', async () => {
    const { reference } = await paidLoan();
    bench.rinpath.unsigned = 1;
    const order = { lender: 'navdhara', loanReference: reference, event: 'CLOSED' };
    const { body } = await bench.admin('POST', '/loan-events', order);
    await expect.poll(() => told(({ key }) => key === body.id)).toHaveLength(2);
    await expect.poll(settled).toBe(true);
  });

  it('is not told again when it is refused for good', async () => {
    const { reference } = await paidLoan();
    bench.rinpath.refusals.push(409);
    const order = { lender: 'navdhara', loanReference: reference, event: 'CLOSED' };
    const { body } = await bench.admin('POST', '/loan-events', order);
    await expect.poll(settled).toBe(true);
    const { messages } = await bench.books();
    expect(messages.find(({ id }) => id === body.id)).toMatchObject({ lastStatus: '409' });
  });

  it('is told after a restart, when there was no time before', async () => {
    const slow = { applicant: { ...APPLICANT, pan: 'SANDX0002A' } };
    await bench.askOffers(slow, { key: 'qst_before_restart' });
    await bench.restart();
    bench.passTime(11);
    await expect.poll(() => answersTo('qst_before_restart')).toHaveLength(1);
  });

  it('is what became of a visit, as soon as the applicant has decided', async () => {
    const chosen = await bench.choose();
    const stepReference = 'told-kyc';
    const { url } = await bench.openSession(chosen, 'KYC', { stepReference });
    const fields = { ...chosen.about, step: 'KYC', stepReference, attempt: 1 };
    await bench.ask('steps', fields, { key: 'qst_told_kyc' });
    const body = new URLSearchParams({ step: 'KYC', decision: 'approve' });
    await fetch(url, { method: 'POST', body, redirect: 'manual' });
    await expect.poll(() => answersTo('qst_told_kyc')).toHaveLength(1);
    expect(answersTo('qst_told_kyc')[0].body).toMatchObject({ answer: { verdict: 'PASSED' } });
  });

  it('is a revised offer, which can be chosen in place of the first', async () => {
    const chosen = await bench.choose();
    const { applicationId } = chosen.about;
    const { body } = await bench.admin('POST', '/offer-revisions', {
      lender: 'navdhara',
      applicationId,
      reason: 'RATE_CHANGED',
      annualRatePercent: '12.49',
    });
    await expect.poll(() => told(({ key }) => key === body.id)).toHaveLength(1);
    const [message] = told(({ key }) => key === body.id);
    const { applicationReference } = chosen;
    expect(message.body).toMatchObject({
      applicationId,
      applicationReference,
      reason: 'RATE_CHANGED',
      offer: { reference: body.offerReference, rate: { annualPercent: '12.49' } },
    });
    const choice = { applicationId, loanAmount: 20_000_000, keyFactsHash: 'c'.repeat(64) };
    const answer = await bench.ask('selections', {
      ...choice,
      offerReference: body.offerReference,
    });
    expect(answer.body).toMatchObject({ verdict: 'ACCEPTED', applicationReference });
  });

  it('is an event of a loan, and its books say the same', async () => {
    const { reference, applicationId } = await paidLoan();
    const order = { lender: 'navdhara', loanReference: reference, event: 'REVERSED' };
    const { body } = await bench.admin('POST', '/loan-events', order);
    await expect.poll(() => told(({ key }) => key === body.id)).toHaveLength(1);
    const [message] = told(({ key }) => key === body.id);
    expect(message.body).toMatchObject({
      applicationId,
      loanReference: reference,
      event: 'REVERSED',
      amount: 19_508_000,
    });
    const loan = await bench.rinpath.loan('navdhara', reference);
    expect(loan.body).toMatchObject({ status: 'REVERSED', outstandingPrincipal: 0 });
  });

  it('is a day’s payouts, and nothing of another lender or day', async () => {
    const { reference } = await paidLoan();
    const { payouts } = await bench.books();
    const { paidAt } = payouts.find(({ loanReference }) => loanReference === reference)!;
    const inIndia = new Date(Date.parse(paidAt as string) + 5.5 * 3_600_000).toISOString();
    const day = inIndia.slice(0, 10);
    const order = (lender: string, on: string) =>
      bench.admin('POST', '/statements', { lender, day: on });
    const { body } = await order('navdhara', day);
    const [id] = body.ids as string[];
    await expect.poll(() => told(({ key }) => key === id)).toHaveLength(1);
    const [statement] = told(({ key }) => key === id);
    const rows = statement.body.payouts as { loanReference: string; amount: number }[];
    expect(rows.map((row) => row.loanReference)).toContain(reference);
    expect(statement.body).toMatchObject({
      day,
      page: 1,
      pages: 1,
      payoutCount: rows.length,
      payoutTotal: rows.reduce((sum, { amount }) => sum + amount, 0),
    });
    expect((await order('navdhara', '2020-01-01')).body).toMatchObject({ payoutCount: 0 });
    expect((await order('kaverisetu', day)).body).toMatchObject({ payoutCount: 0 });
  });

  async function paidLoan(): Promise<{ reference: string; applicationId: string }> {
    const chosen = await bench.choose();
    await bench.sign(chosen);
    const { body } = await bench.payOut(chosen);
    const { applicationId } = chosen.about;
    // What else is told of it would be refused in place of what a test refuses.
    await expect.poll(settled).toBe(true);
    return { reference: body.loanReference as string, applicationId };
  }
});
