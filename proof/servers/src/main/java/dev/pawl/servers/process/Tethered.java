package dev.pawl.servers.process;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** Runs the main method of a class in a JVM that dies with its parent, even if the parent is killed. */
final class Tethered {
    private Tethered() {}

    /**
     * Runs the class. The parent writes nothing to standard input, so the end of that input means that the parent has ended.
     *
     *
     * @param arguments the file of this JVM's output, which is deleted when the parent has ended; the class; the arguments of the class
     */
    @SuppressWarnings("SystemExitOutsideMain")
    public static void main(String[] arguments) throws Throwable {
        Thread tether = new Thread(
                () -> {
                    awaitEndOfInput();
                    delete(Path.of(arguments[0]));
                    Runtime.getRuntime().halt(1);
                },
                "tether");
        tether.setDaemon(true);
        tether.start();
        Method main = Class.forName(arguments[1]).getDeclaredMethod("main", String[].class);
        main.setAccessible(true);
        try {
            main.invoke(null, (Object) Arrays.copyOfRange(arguments, 2, arguments.length));
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static void awaitEndOfInput() {
        try {
            while (System.in.read() >= 0) {
                // the input is ignored
            }
        } catch (IOException gone) {
            // equivalent to its end
        }
    }

    private static void delete(Path output) {
        try {
            Files.deleteIfExists(output);
        } catch (IOException e) {
            System.err.println("the output stays: " + e.getMessage());
        }
    }
}
