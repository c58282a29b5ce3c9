package dev.pawl.cli;

import java.io.PrintStream;

/** Where the log goes, which quotes handlers: lets only {@link Harmless} text through. */
final class HarmlessLog extends PrintStream {
    private final PrintStream terminal;

    HarmlessLog(PrintStream terminal) {
        super(terminal, true);
        this.terminal = terminal;
    }

    @Override
    public void print(String text) {
        terminal.print(Harmless.text(String.valueOf(text)));
    }
}
