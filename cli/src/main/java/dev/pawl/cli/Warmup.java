package dev.pawl.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs the usual commands on a temporary database, so that Java can archive their classes for later starts (class data sharing). The
 * launcher calls it once after a build.
 */
final class Warmup {
    private static final List<String> COMMANDS = List.of(
            "--help",
            "enqueue greet {\"name\":\"Ada\"}",
            "work --until-empty --handler greet=exec:true",
            "queues",
            "queues --json",
            "jobs",
            "job 1",
            "workers",
            "doctor");

    private Warmup() {}

    /**
     * @param arguments none
     * @throws IOException if there is no space for temporary files
     */
    public static void main(String[] arguments) throws IOException {
        Path folder = Files.createTempDirectory("pawl");
        try {
            for (String command : COMMANDS) {
                List<String> words = new ArrayList<>(List.of(command.split(" ", -1)));
                if (!command.startsWith("-")) {
                    words.addAll(List.of("--db", folder.resolve("warmup.db").toString()));
                }
                PrintWriter nowhere = new PrintWriter(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
                int unused = Main.run(nowhere, nowhere, words.toArray(String[]::new));
            }
        } finally {
            try (var files = Files.newDirectoryStream(folder)) {
                for (Path file : files) {
                    Files.deleteIfExists(file);
                }
            }
            Files.deleteIfExists(folder);
        }
    }
}
