import { Injectable } from '@nestjs/common';
import { type Environment, InjectEnvironment, isLoopbackHost } from '../config/environment.js';

const CONNECT_MS = 10_000;
/** Time without any data. */
const SILENCE_MS = 20_000;

interface Mail {
  /** Equal on retries, so that recipients can deduplicate. */
  readonly id: string;
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
}

@Injectable()
export class Mailer {
  constructor(@InjectEnvironment private readonly environment: Environment) {}

  get isThere(): boolean {
    return this.environment.mail !== undefined;
  }

  /** @throws Error that contains neither the mail nor addresses */
  async send({ id, to, subject, text }: Mail): Promise<void> {
    const { mail, baseUrl } = this.environment;
    if (!mail) throw new Error('SMTP_URL is not set');
    const url = new URL(mail.smtpUrl);
    // Loaded at the first mail.
    const { createTransport } = await import('nodemailer');
    const transport = createTransport({
      url: mail.smtpUrl,
      requireTLS: url.protocol === 'smtp:' && !isLoopbackHost(url.hostname),
      connectionTimeout: CONNECT_MS,
      greetingTimeout: CONNECT_MS,
      socketTimeout: SILENCE_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    try {
      const messageId = `<${id}@${new URL(baseUrl).hostname}>`;
      await transport.sendMail({
        from: mail.from,
        to: [...to],
        subject,
        text,
        messageId,
        // Prevents vacation notices (RFC 3834).
        headers: { 'Auto-Submitted': 'auto-generated' },
      });
    } catch (error) {
      const { code, responseCode } = error as { code?: string; responseCode?: number };
      const what = ['the mail server refused it', code, responseCode].filter(Boolean);
      // oxlint-disable-next-line preserve-caught-error -- it quotes the mail server, and the readers' addresses.
      throw new Error(what.join(', '));
    } finally {
      transport.close();
    }
  }
}
