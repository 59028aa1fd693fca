import { writeFileSync } from 'node:fs';
import { NestFactory } from '@nestjs/core';
import { DataSource } from 'typeorm';
import { readConfigurationFile } from './admin/index.js';
import { apiDocument, describeCalls } from './api-document/index.js';
import { DOCUMENT_WORDS } from './known-words.js';
import { AppModule } from './app.module.js';
import { lenderDocument } from './lender-api/index.js';
import { lenderAdapters } from './lender-connectors.js';
import { dataSourceOptions, type Environment, projectPath } from './platform/index.js';

const PARTNER_FILE = 'docs/openapi.json';
const LENDER_FILE = 'docs/lenders/openapi.json';
const CONFIGURATION = 'config/sandbox.yaml';

const ENVIRONMENT: Environment = {
  mode: 'sandbox',
  port: 3000,
  operatorHost: '127.0.0.1',
  baseUrl: 'http://127.0.0.1:3000',
  isLoopback: true,
  databaseNamedStatements: true,
  databasePoolSize: 2,
  databaseLossAccepted: false,
  newerSchemaAllowed: false,
  dataDir: '',
  configFile: projectPath(CONFIGURATION),
  trustProxy: false,
  privateNetworks: [],
  masterKeys: [],
  sandboxOpen: false,
  sandboxLatencyPercent: 100,
  logLevel: 'silent',
  isTerminal: false,
};

const DEPLOYMENT = { ...ENVIRONMENT, lenderAdapters: lenderAdapters(ENVIRONMENT.mode) };

/**
 * Writes the partners' and lenders' documents from code: Nest's preview mode creates no
 * controllers, so no database or port is needed.
 */
async function main(): Promise<void> {
  const dataSource = new DataSource(
    dataSourceOptions({ url: 'postgres://none', poolSize: 2, entities: [], migrations: [] }),
  );
  const app = await NestFactory.create(AppModule.compose(ENVIRONMENT, dataSource), {
    preview: true,
    logger: false,
    abortOnError: false,
  });
  const { brand } = readConfigurationFile(ENVIRONMENT.configFile, DEPLOYMENT, {});
  const { baseUrl } = ENVIRONMENT;
  write(PARTNER_FILE, apiDocument(describeCalls(app, DOCUMENT_WORDS), baseUrl, brand));
  write(LENDER_FILE, lenderDocument(brand, baseUrl));
}

function write(file: string, document: { readonly paths: object }): void {
  writeFileSync(projectPath(file), `${JSON.stringify(document, null, 2)}\n`);
  process.stdout.write(`${file}: ${Object.keys(document.paths).length} paths\n`);
}

await main();
