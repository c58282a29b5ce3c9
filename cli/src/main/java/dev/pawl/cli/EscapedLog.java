package dev.pawl.cli;

import java.io.PrintStream;

/** Log output that escapes terminal sequences ({@link TerminalEscapes}), because messages may contain text from handlers. */
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
