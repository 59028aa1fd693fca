import { requestSigner } from './request-signer.js';

const form = document.getElementById('credentials');

function readCredentials() {
  const { apiKey, apiSecret } = Object.fromEntries(new FormData(form));
  return { apiKey: apiKey.trim(), apiSecret: apiSecret.trim() };
}

// The form is a place to write in; Enter must not send it anywhere.
form?.addEventListener('submit', (event) => event.preventDefault());

// Swagger UI has dark colours, but does not ask the system for them.
const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();

window.SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#document',
  deepLinking: true,
  displayRequestDuration: true,
  // The document is sent to no other site.
  validatorUrl: null,
  // Without a form there is nothing to sign with: the document is for reading then.
  ...(form
    ? { requestInterceptor: requestSigner(readCredentials, location.href) }
    : { supportedSubmitMethods: [] }),
});
