import { parse, stringify } from 'yaml';
import { PRODUCTION_DEPLOYMENT } from './deployments.js';
import { shippedConfiguration } from './shipped-configuration.js';

/** Gateways of a production configuration; nothing answers at their addresses. */
export const PRODUCTION_GATEWAYS = {
  sms: {
    gateway: 'http',
    company: 'Example Messaging Private Limited',
    dlt: { entityId: '1101234567890123456', senderId: 'RINPTH' },
    templateIds: { HOSTED_LINK: '1107000000000000001' },
    http: { method: 'POST', url: 'https://sms.example/send', body: '{"to":"{{mobile}}"}' },
  },
  payment: {
    gateway: 'razorpay',
    razorpay: {
      keyId: 'rzp_live_0000000000',
      keySecret: 'secret',
      webhookSecret: 'the-webhook-secret',
    },
  },
};

/** The shipped configuration adapted to production: without stand-ins and partners. */
export function productionConfiguration(sections: Record<string, unknown> = {}): string {
  const shipped = parse(shippedConfiguration()) as { lenders: object[] };
  const [adapter] = PRODUCTION_DEPLOYMENT.lenderAdapters;
  // Fees of instant loans go to the lenders' own accounts.
  const { payment } = PRODUCTION_GATEWAYS;
  const lenders = shipped.lenders.map((lender) => ({ ...lender, adapter, payment }));
  return stringify({ ...shipped, ...PRODUCTION_GATEWAYS, lenders, partners: [], ...sections });
}
