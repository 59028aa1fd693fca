import { BANK_ACCOUNT, createApplicantA } from '../applicants.ts';
import type { Journey, NextAction } from '../../../clients/node/src/index.ts';
import { act, driveJourney, readJourney, startJourney } from '../journey-driver.ts';
import { compareOffers } from '../offer-checks.ts';
import { reportReturn, visitProvider } from '../redirect-step.ts';
import type { Stage, StartedJourney } from '../stage.ts';

const FULL_NAME = 'Meenakshi Venkataraman';
const STEPS = [
  'SELECT_OFFER',
  'SELECT_GOLD_LOAN_BRANCH',
  'REDIRECT_TO_KYC',
  'SUBMIT_BANK_ACCOUNT',
  'REDIRECT_TO_ESIGN',
  'JOURNEY_COMPLETED',
];
const EVENTS = [
  'initiated',
  'offers_received',
  'offer_selected',
  'kyc_done',
  'esign_done',
  'completed',
];

/** A gold loan: a branch for the jewellery, and no mandate. */
export async function runGoldLoan(stage: Stage): Promise<void> {
  const terms = {
    channel: 'API_HEADLESS',
    productCode: 'ONLINE_GOLD',
    loanAmount: 150_000,
    goldLoanDetails: { jewellaryList: ['2 bangles', '1 chain'], grams: '60.5' },
  } as const;
  const body = { ...terms, ...createApplicantA(FULL_NAME) };
  const { started } = await startJourney(stage, 'gold loan', body, EVENTS);
  const { final, steps } = await driveJourney(stage, started, {
    SELECT_OFFER: (journey) => chooseOffer(stage, started, journey),
    SELECT_GOLD_LOAN_BRANCH: () => chooseBranch(stage, started),
    REDIRECT_TO_KYC: async (_journey, action) => {
      await visitProvider(stage, action, 'approve', 'hi');
      return reportReturn(stage, started, 'KYC');
    },
    SUBMIT_BANK_ACCOUNT: () =>
      act(stage, started, {
        kind: 'SUBMIT_BANK_ACCOUNT',
        payload: { accHolderName: FULL_NAME, ...BANK_ACCOUNT },
      }),
    REDIRECT_TO_ESIGN: async (_journey, action) => {
      await visitProvider(stage, action, 'approve', 'hi');
      return reportReturn(stage, started, 'ESIGN');
    },
  });
  stage.checks.same(steps, STEPS, 'the steps came in the order of a gold loan, without a mandate');
  stage.checks.same(final.state, 'SANCTIONED', 'the journey is SANCTIONED');
  const branch = final.selectedOffer?.branchLocation;
  stage.checks.that(Boolean(branch?.id), 'the selected offer keeps the branch', branch ?? null);
}

async function chooseOffer(
  stage: Stage,
  started: StartedJourney,
  journey: Journey,
): Promise<NextAction> {
  const offer = await compareOffers(stage, journey);
  const { offerId, principalAmount: loanAmount } = offer;
  return act(stage, started, { kind: 'SELECT_OFFER', payload: { offerId, loanAmount } });
}

async function chooseBranch(stage: Stage, started: StartedJourney): Promise<NextAction> {
  const { offers, selectedOffer } = await readJourney(stage, started);
  const offer = offers.find(({ offerId }) => offerId === selectedOffer?.offerId);
  const branches = offer?.branchLocations ?? [];
  for (const { id, branchName, address } of branches) {
    stage.timeline.tell('service', `branch ${id}: ${branchName}, ${address}`);
  }
  const branch = branches[0];
  stage.checks.that(branch !== undefined, `branches to choose from: ${branches.length}`);
  if (!offer || !branch) throw new Error('The selected gold offer lists no branch.');
  const payload = { offerId: offer.offerId, branchLocationId: branch.id };
  const next = await act(stage, started, { kind: 'SELECT_GOLD_LOAN_BRANCH', payload });
  const { selectedOffer: chosen } = await readJourney(stage, started);
  const seen = chosen?.branchLocation?.id;
  stage.checks.same(seen, branch.id, `selectedOffer.branchLocation is ${branch.branchName}`);
  return next;
}
