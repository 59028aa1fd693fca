import { describe, expect, it } from 'vitest';
import { LenderMessageTasks } from '../../../src/lender-api/callbacks/message-log.js';
import { runAdmin } from '../../support/admin-command.js';
import { eventually } from '../../support/eventually.js';
import {
  ApplicantBrowser,
  applyForInstantLoan,
  atSandboxGateway,
  openGateway,
} from '../../support/instant-loans.js';
import { CallbackBench, type TestJourney } from './callback-bench.js';
import { ofFile } from '../../support/of-file.js';

const bench = ofFile(() => CallbackBench.open());

describe('a loan event', () => {
  it('is kept sealed, once, flagged, of the lender’s own application, and erased with its applicant', async () => {
    const journey = await bench.journeys.startWithOffers();
    await journey.select();
    const event = await bench.loanEvent(journey);
    for (const _ of [1, 2])
      expect((await bench.lender.tell('loan-events', event)).status).toBe(202);
    const flags = await journey.flags();
    expect(flags).toMatchObject([
      { kind: 'LOAN_EVENT', detail: { lenderCode: 'navdhara', event: 'MANDATE_REVOKED' } },
    ]);
    expect(JSON.stringify(flags)).not.toContain('Something about a person');
    const rows = (await bench.kept('LOAN_EVENT')).filter(({ messageId }) => messageId === event.id);
    expect(rows).toEqual([{ messageId: event.id, sealed: expect.stringMatching(/^v1:/) }]);
    const other = await bench.lender.tell('loan-events', { ...event, event: 'CLOSED' });
    expect([other.status, other.json.error!.code]).toEqual([409, 'key_reused']);
    // Unknown fields are stored too: a later release may read them.
    const more = await bench.lender.tell('loan-events', { ...event, ofALaterVersion: 1 });
    expect([more.status, more.json.error!.code]).toEqual([409, 'key_reused']);

    // Another lender's application looks like one that does not exist.
    const page = await bench.statement(journey);
    expect((await bench.stranger.tell('statements', page)).status).toBe(404);
    const [theirs, none] = [
      await bench.stranger.tell('loan-events', { ...event, id: bench.newId() }),
      await bench.stranger.tell('loan-events', { ...event, applicationId: 'app_1' }),
    ];
    expect(theirs.status).toBe(404);
    expect(theirs).toEqual(none);

    const { databaseUrl } = bench.journeys.service;
    const erase = ['applicants', 'erase', '--journey', journey.id, '--force'] as const;
    expect((await runAdmin(databaseUrl, ...erase)).code).toBe(0);
    const erased = (await bench.kept('LOAN_EVENT')).filter((row) => row.messageId === event.id);
    expect(erased).toEqual([{ messageId: event.id, sealed: null }]);
    expect((await bench.lender.tell('loan-events', event)).status).toBe(202);
  });

  it('is refused of an instant loan until its fee is paid', async () => {
    bench.keepSilentOn('DECISION');
    const { json } = await applyForInstantLoan(bench.journeys.demo);
    const { applicationId, redirectUrl } = json.data;
    const browser = new ApplicantBrowser();
    const gatewayUrl = await openGateway(browser, redirectUrl);
    const tell = async () => {
      const [id, happenedAt] = [bench.newId(), '2026-11-25T09:00:00+05:30'];
      const event = { id, applicationId, loanReference: id, event: 'CLOSED', happenedAt };
      return (await bench.lender.tell('loan-events', event)).status;
    };
    expect(await tell()).toBe(404);
    await atSandboxGateway(browser, gatewayUrl, 'pay');
    await eventually(async () => expect(await tell()).toBe(202));
  });

  it('is refused of another application’s loan, and taken of a second one of its own', async () => {
    const [journey, paidOut] = [
      await bench.journeys.startWithOffers(),
      await bench.journeys.startWithOffers(),
    ];
    await journey.select();
    await paidOut.complete();
    await bench.journeys.query(
      `INSERT INTO lender_references
         (lender_code, kind, reference, subject_id, application_id, partner_id, is_payout_told)
       SELECT 'navdhara', 'LOAN', 'LOAN-OF-IT', id, application_id, partner_id, true FROM journeys WHERE id = $1`,
      [paidOut.id],
    );
    const tell = async (about: TestJourney, loanReference: string) =>
      (await bench.lender.tell('loan-events', await bench.loanEvent(about, { loanReference })))
        .status;
    expect(await tell(paidOut, 'LOAN-OF-IT')).toBe(202);
    expect(await tell(paidOut, 'SECOND')).toBe(202);
    const [first, second] = await paidOut.flags();
    expect(first.detail).not.toHaveProperty('isOfAnotherLoan');
    expect(second).toMatchObject({ kind: 'LOAN_EVENT', detail: { isOfAnotherLoan: true } });
    const again = await bench.statement(paidOut, { loanReference: 'SECOND' });
    expect((await bench.lender.tell('statements', again)).status).toBe(202);
    expect(await tell(journey, 'LOAN-OF-IT')).toBe(404);
    const page = await bench.statement(journey, { loanReference: 'LOAN-OF-IT' });
    expect((await bench.lender.tell('statements', page)).json.error).toEqual({
      code: 'not_found',
      message: 'payouts.0: this lender was not asked about this loan',
    });
  });

  it('stays with the loan, at most 100 of an application; an answer to no question goes after 180 days', async () => {
    const journey = await bench.journeys.startWithOffers();
    await journey.select();
    const event = await bench.loanEvent(journey);
    const answerId = bench.newId();
    const questionId = `${journey.id}:SELECTION:int_1`;
    const keptAs = `${questionId}/${answerId}`;
    await bench.lender.tell('loan-events', event);
    await bench.lender.tell('answers', {
      question: 'SELECTIONS',
      questionId,
      answer: { answerId, verdict: 'ACCEPTED', applicationReference: 'A-1' },
    });
    const left = async () => {
      const tasks = bench.journeys.service.get<LenderMessageTasks>(LenderMessageTasks);
      await tasks.cleanMessages();
      const rows = await bench.journeys.query<{ id: string }>(
        'SELECT message_id AS id FROM lender_messages WHERE message_id = ANY ($1)',
        [[event.id, keptAs]],
      );
      return rows.map(({ id }) => id).toSorted();
    };
    const age = (days: number) =>
      bench.journeys.query(
        `UPDATE lender_messages SET received_at = app_now() - $1 * interval '1 day'`,
        [days],
      );
    await age(179);
    expect(await left()).toEqual([event.id, keptAs].toSorted());
    await age(181);
    expect(await left()).toEqual([event.id]);
    await bench.journeys.query(
      `INSERT INTO lender_messages (lender_code, kind, message_id, partner_id, subject_id, body_hash)
       SELECT 'navdhara', 'LOAN_EVENT', 'many-' || n, 'demo', $1, '' FROM generate_series(1, 98) AS n`,
      [journey.id],
    );
    const last = await bench.loanEvent(journey);
    expect((await bench.lender.tell('loan-events', last)).status).toBe(202);
    const more = await bench.lender.tell('loan-events', await bench.loanEvent(journey));
    expect([more.status, more.json.error!.code]).toEqual([429, 'too_many_requests']);
    expect((await bench.lender.tell('loan-events', last)).status).toBe(202);
  });
});
