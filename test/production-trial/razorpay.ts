/**
 * A stand-in for Razorpay's Payment Links: their API, the page where an applicant pays, and the signed webhook.
 * No money moves.
 *
 *     RAZORPAY_PORT=4500 LENDER_CODE=… LENDER_RAZORPAY_KEY_ID=… LENDER_RAZORPAY_KEY_SECRET=… \
 *       LENDER_RAZORPAY_WEBHOOK_SECRET=… \
 *       RINPATH_BASE_URL=https://… TLS_CERT=… TLS_KEY=… node test/production-trial/razorpay.ts
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { FakeRazorpay, type LinkEntity } from '../support/fake-razorpay.ts';
import { passOn } from '../support/pass-on.ts';
import { needed, serveOverTls, textOf } from './tls-server.ts';

const port = Number(needed('RAZORPAY_PORT'));
// The lender's account, which gets the fees of its instant loans.
const callbacks = `${needed('RINPATH_BASE_URL')}/callbacks/payments/razorpay/${needed('LENDER_CODE')}`;
const razorpay = new FakeRazorpay();
razorpay.account = {
  keyId: needed('LENDER_RAZORPAY_KEY_ID'),
  keySecret: needed('LENDER_RAZORPAY_KEY_SECRET'),
  webhookSecret: needed('LENDER_RAZORPAY_WEBHOOK_SECRET'),
};
razorpay.pages = `https://127.0.0.1:${port}/i`;
await razorpay.start();

serveOverTls(port, (request, response) => {
  serve(request, response).catch((error: unknown) => {
    console.error(error);
    response.destroy();
  });
});

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const address = `${razorpay.pages.replace(/\/i$/, '')}${request.url}`;
  const link = [...razorpay.links.values()].find(({ short_url }) => short_url === address);
  if (!link) return passOn(request, response, new URL(razorpay.url));
  if (request.method === 'GET') return showPage(link, response);
  await textOf(request);
  const payment = razorpay.pay(link.reference_id);
  const { headers, body } = razorpay.webhook('payment_link.paid', link.reference_id, { payment });
  const answer = await fetch(callbacks, { method: 'POST', headers, body });
  console.log(`${link.id} was paid; the webhook was answered ${answer.status}`);
  // Razorpay adds more parameters, which prove nothing and are ignored.
  response.writeHead(303, { location: String(link.callback_url) }).end();
}

function showPage(link: LinkEntity, response: ServerResponse): void {
  response
    .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
    .end(
      `<!doctype html><title>Pay</title><main><h1>₹${link.amount / 100}</h1>` +
        '<form method="post"><button name="outcome" value="pay">Pay</button></form></main>',
    );
}
