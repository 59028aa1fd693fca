import { randomBytes } from 'node:crypto';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { expect, it, onTestFinished, vi } from 'vitest';
import { AppModule } from './app.module.js';
import { parseEnvironment } from './platform/index.js';
import { SmsInboxPageModule } from './sandbox/index.js';

it.each([
  ['on a developer’s machine', 'http://localhost:3000', false, true],
  ['that was opened to others', 'https://sandbox.example', true, true],
  ['that others reach', 'https://sandbox.example', false, false],
])(
  'every visitor reads the inbox of a sandbox %s: %s, opened %s: %s',
  (_, url, isOpened, isRead) => {
    const environment = parseEnvironment({
      BASE_URL: url,
      SANDBOX_OPEN: String(isOpened),
      MASTER_KEY: `test:${randomBytes(32).toString('base64')}`,
    });
    const database = vi.spyOn(TypeOrmModule, 'forRootAsync').mockReturnValue({ module: class {} });
    onTestFinished(() => database.mockRestore());
    const { imports } = AppModule.compose(environment, {} as DataSource);
    expect(imports!.includes(SmsInboxPageModule)).toBe(isRead);
  },
);
