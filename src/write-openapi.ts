import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { NestFactory } from '@nestjs/core';
import { DataSource } from 'typeorm';
import { readConfigurationFile } from './admin/index.js';
import { LENDER_DOCUMENT, PARTNER_DOCUMENT } from './api-document/index.js';
import { AppModule } from './app.module.js';
import { documentMakers } from './document-makers.js';
import { lenderAdapters } from './composition.js';
import { dataSourceOptions, parseEnvironment, projectPath } from './platform/index.js';

const ENVIRONMENT = parseEnvironment({
  BASE_URL: 'http://127.0.0.1:3000',
  CONFIG_FILE: projectPath('config/sandbox.yaml'),
  MASTER_KEY: `unused:${randomBytes(32).toString('base64')}`,
});

const DEPLOYMENT = { ...ENVIRONMENT, lenderAdapters: lenderAdapters(ENVIRONMENT.mode) };

/** Nest's preview mode creates no controllers, so no database or port is needed. */
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
  const makers = documentMakers(app);
  write('docs/openapi.json', makers[PARTNER_DOCUMENT](brand, baseUrl));
  write('docs/lenders/openapi.json', makers[LENDER_DOCUMENT](brand, baseUrl));
}

function write(file: string, document: { readonly paths: object }): void {
  writeFileSync(projectPath(file), `${JSON.stringify(document, null, 2)}\n`);
  process.stdout.write(`${file}: ${Object.keys(document.paths).length} paths\n`);
}

await main();
