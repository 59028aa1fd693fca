/** The gateways of a configuration file for production; nothing answers at their addresses. */
export const PRODUCTION_GATEWAYS = {
  sms: {
    gateway: 'http',
    dlt: { entityId: '1101234567890123456', senderId: 'RINPTH' },
    templateIds: { HOSTED_LINK: '1107000000000000001' },
    http: { method: 'POST', url: 'https://sms.example/send', body: '{"to":"{{mobile}}"}' },
  },
  payment: {
    gateway: 'razorpay',
    razorpay: { keyId: 'rzp_live_0000000000', keySecret: 'secret', webhookSecret: 'hook' },
  },
};
