import { readFileSync } from 'node:fs';
import type { Contract, OpenApiDocument } from './contract.js';
import { PartnerClient } from './partner-client.js';

const ofPartners = /^(\/api)?\/v1\/partner\//;
let contract: Promise<Contract> | undefined;

/** Every answer of the partners' API that a test gets through `PartnerClient` agrees with docs/openapi.json. */
export function checksAnswers(): void {
  PartnerClient.onAnswer = async (method, target, answer) => {
    if (!ofPartners.test(target)) return;
    contract ??= read();
    (await contract).expectValid({ ...answer, method, target });
  };
}

/** Not before the first answer: a file of pure functions needs no validator. */
async function read(): Promise<Contract> {
  const { Contract } = await import('./contract.js');
  const text = readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8');
  return new Contract(JSON.parse(text) as OpenApiDocument);
}
