package dev.pawl.cli;

import java.io.PrintWriter;

/** Escapes all output with {@link TerminalEscapes}. */
final class EscapedWriter extends PrintWriter {
    private final PrintWriter terminal;

    EscapedWriter(PrintWriter terminal) {
        super(terminal, true);
        this.terminal = terminal;
    }

    /** {@return the underlying writer, for intentional cursor movement} */
    PrintWriter terminal() {
        return terminal;
    }

    @Override
    public void write(String text, int from, int length) {
        String harmless = TerminalEscapes.text(text.substring(from, from + length));
        super.write(harmless, 0, harmless.length());
    }

    @Override
    public void write(char[] text, int from, int length) {
        write(String.valueOf(text, from, length));
    }

    @Override
    public void write(int one) {
        write(String.valueOf((char) one));
    }
}
