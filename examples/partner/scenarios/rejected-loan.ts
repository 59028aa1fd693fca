import { createApplicantB } from '../applicants.ts';
import { driveJourney, startJourney } from '../journey-driver.ts';
import type { Stage } from '../stage.ts';

/** In the sandbox this PAN makes every lender decline. */
const DECLINED_PAN = 'SANDX0001A';

/** The short form of initiate: a mobile, a customer, and the key's defaults. */
export async function runRejectedLoan(stage: Stage): Promise<void> {
  const applicant = createApplicantB('Devendra', 'Kulkarni', DECLINED_PAN);
  const { mobile, customer } = applicant;
  const events = ['initiated', 'rejected'];
  const { started } = await startJourney(stage, 'declined loan', { mobile, customer }, events);
  stage.checks.that(Boolean(started.session), 'without a channel the journey is headless');
  const { final, steps } = await driveJourney(stage, started, {});
  stage.checks.same(steps, ['JOURNEY_REJECTED'], 'it ends as rejected without a step');
  stage.checks.same(final.productCode, 'ONLINE_PERSONAL', 'the product is ONLINE_PERSONAL');
  stage.checks.same(final.state, 'REJECTED', 'the state is REJECTED');
  stage.checks.same(final.outcome, 'REJECTED', 'the outcome is REJECTED');
  stage.checks.same(final.outcomeReason, 'NO_OFFERS', 'the reason is NO_OFFERS');
  stage.checks.same(final.offers, [], 'there are no offers');
}
