package dev.pawl.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Asks the user at the terminal for confirmation. */
final class Confirmation {
    private Confirmation() {}

    /** {@return whether a user can see and answer a question: the launcher reports it, because Java cannot detect it before version 22} */
    static boolean canBeAsked() {
        return Boolean.getBoolean("pawl.terminal") && Boolean.getBoolean("pawl.keyboard");
    }

    /** {@return whether the answer begins with y; everything else, including the end of input, means no} */
    static boolean isYes(PrintWriter err, String question) {
        err.print(question + " [y/N] ");
        err.flush();
        try {
            BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            String answer = in.readLine();
            return answer != null && answer.strip().toLowerCase(Locale.ROOT).startsWith("y");
        } catch (IOException e) {
            return false;
        }
    }
}
