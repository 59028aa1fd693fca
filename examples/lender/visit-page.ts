import { createHash } from 'node:crypto';
import type { Books } from './books.ts';
import type { RedirectStep } from './lender-terms.ts';
import { loanFigures } from './loan-figures.ts';
import type { Lender } from './question.ts';
import type { Session } from './sessions.ts';

export interface Page {
  readonly status: number;
  readonly html: string;
}

const WORDS: Record<
  RedirectStep,
  { title: string; text: string; approve: string; decline: string }
> = {
  KYC: {
    title: 'Verify your identity',
    text: 'Here you would show your Aadhaar and PAN, and take a picture of yourself.',
    approve: 'I am this person',
    decline: 'Stop the verification',
  },
  MANDATE: {
    title: 'Allow the monthly debit',
    text: 'Here you would tell your bank that it may pay the instalments from your account.',
    approve: 'Allow the debit',
    decline: 'Do not allow it',
  },
  ESIGN: {
    title: 'Sign the loan agreement',
    text: 'Here you would read the agreement and sign it with a one-time code.',
    approve: 'Sign the agreement',
    decline: 'Do not sign',
  },
};

export const STYLE = `
body { margin: 0; font: 1.0625rem/1.5 system-ui, sans-serif; color: #1b1f24; background: #fff; }
main, header { max-width: 36rem; margin: 0 auto; padding: 1rem; }
header { border-bottom: 4px solid #6b3fa0; font-weight: 600; }
h1, h2 { line-height: 1.2; margin: 1.5rem 0 0.75rem; }
h1 { font-size: 1.625rem; }
h2 { font-size: 1.25rem; }
code { font-size: 0.875rem; }
dt { font-weight: 600; }
dd { margin: 0 0 0.75rem; overflow-wrap: anywhere; }
.notice { border: 2px solid #8a5a00; padding: 0.75rem 1rem; background: #fff8e6; }
button, .button { display: block; box-sizing: border-box; width: 100%; min-height: 2.75rem; margin: 0.75rem 0;
  padding: 0.625rem 1rem; border: 2px solid #4b2580; border-radius: 0.25rem; font: inherit; font-weight: 600;
  text-align: center; text-decoration: none; color: #4b2580; background: #fff; cursor: pointer; }
.main { color: #fff; background: #4b2580; }
:focus-visible { outline: 3px solid #b35c00; outline-offset: 2px; }
`;

/** The pages' policy allows only this style, and no script. */
const STYLE_DIGEST = createHash('sha256').update(STYLE).digest('base64');

export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  // Forms may leave this origin: the response redirects to the applicant's previous site.
  'content-security-policy':
    `default-src 'none'; style-src 'sha256-${STYLE_DIGEST}'; ` +
    `frame-ancestors 'none'; base-uri 'none'`,
};

/** Also after a withdrawal: then nothing is signed. */
export function isOver(books: Books, lender: Lender, session: Session): boolean {
  const offer = books.applications.offer(lender, session.offerReference);
  return !offer || offer.isWithdrawn || new Date(session.expiresAt) <= books.world.now();
}

/** The page of a visit: the next step, or that nothing is left to do. */
export function visitPage(books: Books, lender: Lender, session: Session): Page {
  const step = books.sessions.nextStep(session);
  const back = `<p><a class="button main" href="${escape(session.returnUrl)}">Go back</a></p>`;
  if (step === null) {
    return page(lender, 'You are done here', `<p>There is nothing left to do.</p>${back}`);
  }
  if (isOver(books, lender, session)) {
    const text = '<p>This page can no longer be used. Go back, and begin this step again.</p>';
    return page(lender, 'This page has expired', text + back, 410);
  }
  const { title, text, approve, decline } = WORDS[step];
  const count = session.covers.length;
  const place = `Step ${session.covers.indexOf(step) + 1} of ${count}`;
  return page(
    lender,
    title,
    `${count > 1 ? `<p>${place}</p>` : ''}<p>${text}</p>
${step === 'ESIGN' ? agreement(books, lender, session) : ''}
<form method="post">
<input type="hidden" name="step" value="${step}">
<button class="main" name="decision" value="approve">${approve}</button>
<button name="decision" value="decline">${decline}</button>
<button name="decision" value="leave">Go back and decide later</button>
</form>`,
  );
}

function agreement(books: Books, lender: Lender, session: Session): string {
  const offer = books.applications.offer(lender, session.offerReference);
  const chosen = offer && books.selections.find(lender, offer.applicationId);
  const figures = offer && chosen && loanFigures(offer.terms, chosen.amount);
  const amounts = figures
    ? `<dt>Loan</dt><dd>${rupees(chosen.amount)}</dd>
<dt>Paid out to you</dt><dd>${rupees(figures.netPayout)}</dd>
<dt>Instalment</dt><dd>${rupees(figures.instalment)} a month, ${offer.terms.tenureMonths} times</dd>`
    : '';
  return `<h2>What you sign</h2><dl><dt>Lender</dt><dd>${escape(lender.name)}</dd>${amounts}
<dt>Fingerprint of the Key Facts Statement</dt><dd><code>${escape(session.keyFactsHash)}</code></dd></dl>`;
}

export function unknownPage(lender: Lender): Page {
  const text = '<p>This address leads nowhere. Go back to where you came from, and try again.</p>';
  return page(lender, 'There is no such page', text, 404);
}

function page(lender: Lender, title: string, content: string, status = 200): Page {
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)} - ${escape(lender.name)}</title>
<style>${STYLE}</style>
</head>
<body>
<header>${escape(lender.name)}</header>
<main>
<p class="notice">This lender is an example: nothing here is real, and no money is lent.</p>
<h1>${escape(title)}</h1>
${content}
</main>
</body>
</html>
`;
  return { status, html };
}

function rupees(paise: number): string {
  return `₹${(paise / 100).toLocaleString('en-IN', { maximumFractionDigits: 2 })}`;
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);
}
