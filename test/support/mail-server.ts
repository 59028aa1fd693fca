import { SMTPServer } from 'smtp-server';

export interface ReceivedMail {
  readonly to: readonly string[];
  readonly source: string;
}

/** A mail server on loopback that stores its mails. */
export class MailServer {
  readonly received: ReceivedMail[] = [];
  readonly refusals: number[] = [];
  private readonly server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const refusal = this.refusals.shift();
        if (refusal !== undefined) {
          done(Object.assign(new Error('not now'), { responseCode: refusal }));
          return;
        }
        const to = session.envelope.rcptTo.map(({ address }) => address);
        this.received.push({ to, source: Buffer.concat(chunks).toString('utf8') });
        done();
      });
    },
  });

  async start(): Promise<string> {
    await new Promise<void>((resolve) => {
      this.server.listen(0, '127.0.0.1', resolve);
    });
    const { port } = this.server.server.address() as { port: number };
    return `smtp://127.0.0.1:${port}`;
  }

  async stop(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.server.close(resolve);
    });
  }
}
