import { Foundation1763700000000 } from './1763700000000-foundation.js';
import { Webhooks1763700100000 } from './1763700100000-webhooks.js';
import { Journeys1763700200000 } from './1763700200000-journeys.js';
import { Idempotency1763700300000 } from './1763700300000-idempotency.js';
import { LeadCounts1763700400000 } from './1763700400000-lead-counts.js';
import { Erasure1763700410000 } from './1763700410000-erasure.js';
import { Gateways1763800000000 } from './1763800000000-gateways.js';
import { Messaging1763800100000 } from './1763800100000-messaging.js';
import { Payments1763800200000 } from './1763800200000-payments.js';
import { InstantLoans1763800300000 } from './1763800300000-instant-loans.js';
import { Hosted1763800400000 } from './1763800400000-hosted.js';
import { WebhookDelivery1763800500000 } from './1763800500000-webhook-delivery.js';
import { Upkeep1763800600000 } from './1763800600000-upkeep.js';
import { AddressLimits1763800620000 } from './1763800620000-address-limits.js';
import { QueueOrder1763800700000 } from './1763800700000-queue-order.js';
import { LaneDrain1763800800000 } from './1763800800000-lane-drain.js';
import { MasterKeys1764020000000 } from './1764020000000-master-keys.js';
import { LaneAnswers1764040000000 } from './1764040000000-lane-answers.js';
import { TextLimits1764050000000 } from './1764050000000-text-limits.js';
import { LinkRequests1764050100000 } from './1764050100000-link-requests.js';
import { KeyFactsPdfs1764050200000 } from './1764050200000-key-facts-pdfs.js';
import { OpenSessions1764060000000 } from './1764060000000-open-sessions.js';
import { LaneTests1764070000000 } from './1764070000000-lane-tests.js';
import { InstantLoanDefaults1764100100000 } from './1764100100000-instant-loan-defaults.js';
import { JourneyDefaults1764100200000 } from './1764100200000-journey-defaults.js';
import { WebhookDefaults1764100300000 } from './1764100300000-webhook-defaults.js';
import { PaymentDefaults1764100400000 } from './1764100400000-payment-defaults.js';
import { SandboxTables1764100410000 } from './1764100410000-sandbox-tables.js';
import { OperatorFlagDefaults1764100500000 } from './1764100500000-operator-flag-defaults.js';
import { SchemaFunctions1764100600000 } from './1764100600000-schema-functions.js';
import { InsertTimes1764100610000 } from './1764100610000-insert-times.js';
import { SandboxDecisionTimes1764100620000 } from './1764100620000-sandbox-decision-times.js';
import { RemoteLenders1764300100000 } from './1764300100000-remote-lenders.js';
import { LenderCallbacks1764300200000 } from './1764300200000-lender-callbacks.js';
import { LenderChoices1764300210000 } from './1764300210000-lender-choices.js';
import { Payouts1764300220000 } from './1764300220000-payouts.js';
import { SessionsOfSteps1764300230000 } from './1764300230000-sessions-of-steps.js';
import { UnreachableLenders1764300300000 } from './1764300300000-unreachable-lenders.js';
import { Acknowledgements1764300400000 } from './1764300400000-acknowledgements.js';
import { CheckedAcknowledgements1764300401000 } from './1764300401000-checked-acknowledgements.js';
import { LenderEvidence1764300410000 } from './1764300410000-lender-evidence.js';
import { LenderStatements1764300500000 } from './1764300500000-lender-statements.js';
import { KeptQuestions1764300600000 } from './1764300600000-kept-questions.js';
import { WaitingIntents1764300610000 } from './1764300610000-waiting-intents.js';
import { PatientReturns1764300620000 } from './1764300620000-patient-returns.js';
import { SubjectLookups1764300630000 } from './1764300630000-subject-lookups.js';
import { LendersWithoutOffer1764500100000 } from './1764500100000-lenders-without-offer.js';
import { OfferPresentations1764500110000 } from './1764500110000-offer-presentations.js';
import { ConsentLog1764500120000 } from './1764500120000-consent-log.js';
import { LoggedConsents1764500121000 } from './1764500121000-logged-consents.js';
import { Refunds1764500200000 } from './1764500200000-refunds.js';
import { FeesOnDecline1764500210000 } from './1764500210000-fees-on-decline.js';
import { SandboxRefunds1764500220000 } from './1764500220000-sandbox-refunds.js';
import { FeeAccounts1764500230000 } from './1764500230000-fee-accounts.js';
import { AccountsOfOrders1764500240000 } from './1764500240000-accounts-of-orders.js';
import { AccountsOfRefunds1764500250000 } from './1764500250000-accounts-of-refunds.js';
import { AuditChain1764500300000 } from './1764500300000-audit-chain.js';
import { JourneyAuditChain1764500300310 } from './1764500300310-journey-audit-chain.js';
import { InstantLoanAuditChain1764500300320 } from './1764500300320-instant-loan-audit-chain.js';
import { PaymentAuditChain1764500300330 } from './1764500300330-payment-audit-chain.js';
import { KeyFactsChain1764500300340 } from './1764500300340-key-facts-chain.js';
import { LenderMessageChain1764500300350 } from './1764500300350-lender-message-chain.js';
import { OfferPresentationChain1764500300360 } from './1764500300360-offer-presentation-chain.js';
import { ConsentChain1764500300370 } from './1764500300370-consent-chain.js';
import { UnsettledPayments1764500400000 } from './1764500400000-unsettled-payments.js';
import { RefusalsOfRefunds1764500401000 } from './1764500401000-refusals-of-refunds.js';
import { NamedLenders1764500410000 } from './1764500410000-named-lenders.js';
import { CheckedConsents1764500411000 } from './1764500411000-checked-consents.js';
import { InstantOffers1764500600000 } from './1764500600000-instant-offers.js';
import { AwaitingInstantOffers1764500600500 } from './1764500600500-awaiting-instant-offers.js';
import { CheckedInstantLoans1764500601000 } from './1764500601000-checked-instant-loans.js';
import { AuditIntakeChain1764500700000 } from './1764500700000-audit-intake-chain.js';
import { LenderInboxChain1764500710000 } from './1764500710000-lender-inbox-chain.js';
import { TextsOfProducts1764500761000 } from './1764500761000-texts-of-products.js';
import { JourneyMilestones1764500800000 } from './1764500800000-journey-milestones.js';
import { ChoicesLetGo1764500820000 } from './1764500820000-choices-let-go.js';
import { TriesOfChoices1764500821000 } from './1764500821000-tries-of-choices.js';
import { TriesOfJourneys1764500822000 } from './1764500822000-tries-of-journeys.js';
import { PartnerLogos1764500823000 } from './1764500823000-partner-logos.js';
import { WantedOffers1764500830000 } from './1764500830000-wanted-offers.js';
import { RequestLog1764500900000 } from './1764500900000-request-log.js';
import { EventPositions1764600400000 } from './1764600400000-event-positions.js';
import { WebhookAlerts1764600690000 } from './1764600690000-webhook-alerts.js';
import { AlertEmails1764601300000 } from './1764601300000-alert-emails.js';
import { WorkbenchSessions1764600500000 } from './1764600500000-workbench-sessions.js';
import { BoundOfAttempts1764700820000 } from './1764700820000-bound-of-attempts.js';
import { BoundedAttempts1764700821000 } from './1764700821000-bounded-attempts.js';
import { WeeksOfAttempts1764700822000 } from './1764700822000-weeks-of-attempts.js';
import { RestOfRequests1764700823000 } from './1764700823000-rest-of-requests.js';
import { OneOpenFlag1764701000030 } from './1764701000030-one-open-flag.js';
import { LoanAmountSources1764701000040 } from './1764701000040-loan-amount-sources.js';
import { FlagNotes1764801000010 } from './1764801000010-flag-notes.js';
import { OverdueQuestions1764801000020 } from './1764801000020-overdue-questions.js';
import { SessionOpenings1764803000010 } from './1764803000010-session-openings.js';
import { AwaitedSince1764803000020 } from './1764803000020-awaited-since.js';
import { LenderLogos1764803000030 } from './1764803000030-lender-logos.js';
import { OlderSecrets1764701000020 } from './1764701000020-older-secrets.js';
import { LeadsByJourney1764701000010 } from './1764701000010-leads-by-journey.js';

/** Every migration, oldest first. */
export const MIGRATIONS = [
  Foundation1763700000000,
  Webhooks1763700100000,
  Journeys1763700200000,
  Idempotency1763700300000,
  LeadCounts1763700400000,
  Erasure1763700410000,
  Gateways1763800000000,
  Messaging1763800100000,
  Payments1763800200000,
  InstantLoans1763800300000,
  Hosted1763800400000,
  WebhookDelivery1763800500000,
  Upkeep1763800600000,
  AddressLimits1763800620000,
  QueueOrder1763800700000,
  LaneDrain1763800800000,
  MasterKeys1764020000000,
  LaneAnswers1764040000000,
  TextLimits1764050000000,
  LinkRequests1764050100000,
  KeyFactsPdfs1764050200000,
  OpenSessions1764060000000,
  LaneTests1764070000000,
  InstantLoanDefaults1764100100000,
  JourneyDefaults1764100200000,
  WebhookDefaults1764100300000,
  PaymentDefaults1764100400000,
  SandboxTables1764100410000,
  OperatorFlagDefaults1764100500000,
  SchemaFunctions1764100600000,
  InsertTimes1764100610000,
  SandboxDecisionTimes1764100620000,
  RemoteLenders1764300100000,
  LenderCallbacks1764300200000,
  LenderChoices1764300210000,
  Payouts1764300220000,
  SessionsOfSteps1764300230000,
  UnreachableLenders1764300300000,
  Acknowledgements1764300400000,
  CheckedAcknowledgements1764300401000,
  LenderEvidence1764300410000,
  LenderStatements1764300500000,
  KeptQuestions1764300600000,
  WaitingIntents1764300610000,
  PatientReturns1764300620000,
  SubjectLookups1764300630000,
  LendersWithoutOffer1764500100000,
  OfferPresentations1764500110000,
  ConsentLog1764500120000,
  LoggedConsents1764500121000,
  Refunds1764500200000,
  FeesOnDecline1764500210000,
  SandboxRefunds1764500220000,
  FeeAccounts1764500230000,
  AccountsOfOrders1764500240000,
  AccountsOfRefunds1764500250000,
  AuditChain1764500300000,
  JourneyAuditChain1764500300310,
  InstantLoanAuditChain1764500300320,
  PaymentAuditChain1764500300330,
  KeyFactsChain1764500300340,
  LenderMessageChain1764500300350,
  OfferPresentationChain1764500300360,
  ConsentChain1764500300370,
  UnsettledPayments1764500400000,
  RefusalsOfRefunds1764500401000,
  NamedLenders1764500410000,
  CheckedConsents1764500411000,
  InstantOffers1764500600000,
  AwaitingInstantOffers1764500600500,
  CheckedInstantLoans1764500601000,
  AuditIntakeChain1764500700000,
  LenderInboxChain1764500710000,
  TextsOfProducts1764500761000,
  JourneyMilestones1764500800000,
  ChoicesLetGo1764500820000,
  TriesOfChoices1764500821000,
  TriesOfJourneys1764500822000,
  PartnerLogos1764500823000,
  WantedOffers1764500830000,
  RequestLog1764500900000,
  EventPositions1764600400000,
  WorkbenchSessions1764600500000,
  WebhookAlerts1764600690000,
  AlertEmails1764601300000,
  BoundOfAttempts1764700820000,
  BoundedAttempts1764700821000,
  WeeksOfAttempts1764700822000,
  RestOfRequests1764700823000,
  LeadsByJourney1764701000010,
  OlderSecrets1764701000020,
  OneOpenFlag1764701000030,
  LoanAmountSources1764701000040,
  FlagNotes1764801000010,
  OverdueQuestions1764801000020,
  SessionOpenings1764803000010,
  AwaitedSince1764803000020,
  LenderLogos1764803000030,
];
