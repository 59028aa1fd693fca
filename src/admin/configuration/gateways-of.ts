import { addressProblem, type FieldProblem, isPrivateHost } from '../../platform/index.js';
import type { Deployment } from './deployment.js';
import type { PaymentSection } from './payment-section.js';
import type { HttpGatewaySection, SmsSection } from './sms-section.js';
import type {
  GatewaySettings,
  PaymentSettings,
  SmsGatewaySettings,
  SmsSettings,
} from '../../settings/index.js';

const NO_STAND_IN =
  'must be left out in production, or be https and a number in a network that PRIVATE_NETWORKS names';
const NO_COMPANY =
  'sms.company is left out: applicants do not read which firm gets their mobile number';

/** The gateways' part of a file. */
export interface GatewaySections {
  readonly sms?: SmsSection;
  readonly payment?: PaymentSection;
  /** Whose own accounts may be named. */
  readonly lenders?: readonly { readonly payment?: PaymentSection }[];
}

/** The gateways in force: the file's; in the sandbox the simulated ones where it names none. */
export function gatewaysOf({ sms, payment }: GatewaySections): GatewaySettings {
  return { sms: smsOf(sms), payment: paymentOf(payment) };
}

function smsOf(section: SmsSection | undefined): SmsSettings {
  const dlt = section?.dlt;
  return {
    gateway: smsGatewayOf(section),
    dlt: dlt ? { entityId: dlt.entityId, senderId: dlt.senderId } : null,
    templateIds: { ...section?.templateIds },
    ...(section?.company && { company: section.company }),
  };
}

function smsGatewayOf(section: SmsSection | undefined): SmsGatewaySettings {
  if (section?.gateway === 'twilio' && section.twilio) {
    const { accountSid, authToken, from, apiBaseUrl } = section.twilio;
    return { kind: 'twilio', accountSid, authToken, from, ...(apiBaseUrl && { apiBaseUrl }) };
  }
  if (section?.gateway === 'http' && section.http) return httpGatewayOf(section.http);
  return { kind: 'inbox' };
}

function httpGatewayOf(section: HttpGatewaySection): SmsGatewaySettings {
  return {
    kind: 'http',
    method: section.method,
    url: section.url,
    headers: { ...section.headers },
    body: section.body ?? null,
    acceptedPattern: section.acceptedPattern ?? null,
    messageIdPath: section.messageIdPath ?? null,
  };
}

/** Where the money of a section goes; nowhere real without one. */
export function paymentOf(section: PaymentSection | undefined): PaymentSettings {
  if (section?.gateway !== 'razorpay' || !section.razorpay) return { kind: 'sandbox' };
  const { keyId, keySecret, webhookSecret, pageHost, apiBaseUrl } = section.razorpay;
  return {
    kind: 'razorpay',
    keyId,
    keySecret,
    webhookSecret,
    ...(pageHost && { pageHost }),
    ...(apiBaseUrl && { apiBaseUrl }),
  };
}

/** What is wrong with the gateways beyond the shape of each field. */
export function gatewayMistakes(
  sections: GatewaySections,
  found: readonly FieldProblem[],
  deployment: Deployment,
): FieldProblem[] {
  const isSound = (name: string) => !found.some(({ field }) => field.startsWith(name));
  return [
    ...(isSound('sms') ? smsMistakes(sections.sms, deployment) : []),
    ...(isSound('payment') ? paymentMistakes(sections.payment, deployment) : []),
  ];
}

function smsMistakes(section: SmsSection | undefined, deployment: Deployment): FieldProblem[] {
  const isProduction = deployment.mode === 'production';
  if (!section) return isProduction ? [required('sms')] : [];
  if (section.gateway === 'inbox') return isProduction ? [simulated('sms.gateway')] : [];
  if (!section[section.gateway]) return [required(`sms.${section.gateway}`)];
  const problem = section.http && addressProblem(filledIn(section.http.url), deployment);
  return [
    ...standInMistakes('sms.twilio.apiBaseUrl', section.twilio?.apiBaseUrl, deployment),
    ...(problem ? [{ field: 'sms.http.url', message: problem }] : []),
  ];
}

/** A template's address, with something in place of each placeholder. */
function filledIn(template: string): string {
  return new URL(template.replaceAll(/\{\{.*?\}\}/g, 'x')).href;
}

/** @param path where the section stands: the operator's own, or a lender's */
export function paymentMistakes(
  section: PaymentSection | undefined,
  deployment: Deployment,
  path = 'payment',
): FieldProblem[] {
  const isProduction = deployment.mode === 'production';
  if (!section) return isProduction ? [required(path)] : [];
  if (section.gateway === 'sandbox') return isProduction ? [simulated(`${path}.gateway`)] : [];
  if (!section.razorpay) return [required(`${path}.razorpay`)];
  const { keyId, apiBaseUrl } = section.razorpay;
  // With a test key nobody pays, and with a live one the sandbox's loans cost real money.
  const prefix = isProduction ? 'rzp_live_' : 'rzp_test_';
  return [
    ...(keyId.startsWith(prefix) ? [] : [ofOtherMode(`${path}.razorpay.keyId`, prefix)]),
    ...standInMistakes(`${path}.razorpay.apiBaseUrl`, apiBaseUrl, deployment),
  ];
}

/** In production nobody else's machine takes the place of a gateway: it would say who has paid. */
function standInMistakes(
  field: string,
  address: string | undefined,
  deployment: Deployment,
): FieldProblem[] {
  if (address === undefined) return [];
  const problem = addressProblem(address, deployment);
  if (deployment.mode !== 'production') return problem ? [{ field, message: problem }] : [];
  const isOwn = !problem && isPrivateHost(new URL(address).hostname, deployment.privateNetworks);
  return isOwn ? [] : [{ field, message: NO_STAND_IN }];
}

/** What is called in the place of a gateway in production, which may be meant for a rehearsal; and what applicants miss. */
export function gatewayNotes(
  { sms, payment, lenders = [] }: GatewaySections,
  { mode }: Deployment,
): string[] {
  if (mode !== 'production') return [];
  const accounts = [
    { path: 'payment', section: payment },
    ...lenders.map((lender, index) => ({
      path: `lenders[${index}].payment`,
      section: lender.payment,
    })),
  ];
  const standIns = [
    ['sms.twilio.apiBaseUrl', sms?.twilio?.apiBaseUrl, 'Twilio'],
    ...accounts.map(
      ({ path, section }) =>
        [`${path}.razorpay.apiBaseUrl`, section?.razorpay?.apiBaseUrl, 'Razorpay'] as const,
    ),
  ] as const;
  return [
    ...standIns.flatMap(([field, address, gateway]) =>
      address === undefined ? [] : [`${field} is set: not ${gateway} is asked, but ${address}`],
    ),
    ...(sms?.gateway === 'http' && !sms.company ? [NO_COMPANY] : []),
  ];
}

function ofOtherMode(field: string, prefix: string): FieldProblem {
  return { field, message: `must be a key of this mode: ${prefix}…` };
}

function required(field: string): FieldProblem {
  return { field, message: 'is required here' };
}

function simulated(field: string): FieldProblem {
  return { field, message: 'must be a real gateway in production' };
}
