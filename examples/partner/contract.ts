/** The parts of the service's interface that this application reads. */

export type ActionCategory = 'POLL' | 'REDIRECT' | 'WAIT' | 'ACTION' | 'DONE';

export interface NextAction {
  type: string;
  category: ActionCategory;
  url?: string;
}

export interface BranchLocation {
  id: string;
  branchName: string;
  address: string;
  latitude: number;
  longitude: number;
  isSelected: boolean;
}

/** Amounts are rupees, the tenure is in months, rates are percent a year. */
export interface Offer {
  offerId: string;
  sellerName: string;
  principalAmount: number;
  emiAmount: number;
  tenure: number;
  interestRate: number;
  apr: number;
  processingFees: number;
  netDisbursedAmount: number;
  minimumLoanAmount: number;
  kfsLink: string;
  branchLocations: BranchLocation[];
}

export interface SelectedOffer extends Offer {
  loanAmount: number;
  branchLocation?: BranchLocation;
}

export interface Journey {
  journeyId: string;
  applicationId: string;
  productCode: string;
  channel: string;
  state: string;
  currentNextAction: NextAction;
  offers: Offer[];
  selectedOffer: SelectedOffer | null;
  outcome: string;
  outcomeReason?: string | null;
  pollIntervalSeconds: number;
}

export interface InitiatedJourney {
  journeyId: string;
  applicationId: string;
  nextAction: NextAction;
  hostedUrl?: string;
  journeySession?: string;
}

export interface CreatedInstantLoan {
  applicationId: string;
  redirectUrl: string;
  smsSent: boolean;
}

export interface Product {
  code: string;
  displayName: string;
  category: string;
  channel: string;
  provider: string;
  icon: string;
}

export interface Lead {
  applicationId: string;
  loanType: string;
  loanAmount: number;
  status: string;
  submittedAt: string;
}

export interface WebhookSubscription {
  subscriptionId: string;
  url: string;
  subscribedEvents: string[];
  isActive: boolean;
  failureCount: number;
  lastDeliveryAt: string | null;
}

export interface WebhookEvent {
  id: string;
  event: string;
  createdAt: string;
  sequence: number;
  journeyId: string;
  applicationId: string;
  data: { productCode: string; channel: string; state: string; outcome: string };
}

export const ALL_EVENTS: readonly string[] = [
  'journey.initiated',
  'journey.offers_received',
  'journey.offer_selected',
  'journey.kyc_done',
  'journey.enach_done',
  'journey.esign_done',
  'journey.completed',
  'journey.rejected',
  'journey.abandoned',
];
