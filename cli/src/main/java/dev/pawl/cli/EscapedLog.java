package dev.pawl.cli;

import java.io.PrintStream;

/** The target of the log, which quotes handlers: escapes it with {@link TerminalEscapes}. */
final class EscapedLog extends PrintStream {
    private final PrintStream terminal;

    EscapedLog(PrintStream terminal) {
        super(terminal, true);
        this.terminal = terminal;
    }

    @Override
    public void print(String text) {
        terminal.print(TerminalEscapes.text(String.valueOf(text)));
    }
}
