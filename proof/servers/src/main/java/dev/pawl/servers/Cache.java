package dev.pawl.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Unpacked programs and empty data folders: created once, kept for later runs. */
final class Cache {
    private Cache() {}

    /** Fills a new folder. */
    interface Filler {
        void fill(Path folder) throws IOException;
    }

    /** {@return the folder of that name} If several JVMs use it for the first time, one of them fills it, and the others wait. */
    static Path folder(String name, Filler filler) {
        Path home = ServerHome.folder();
        Path ready = home.resolve(name);
        try {
            return ServerHome.locked(home.resolve(name + ".lock"), () -> {
                Path count = home.resolve(name + ".count");
                if (!isWhole(ready, count)) {
                    Path half = home.resolve(name + ".half");
                    FileTrees.delete(half);
                    FileTrees.delete(ready);
                    filler.fill(Files.createDirectory(half));
                    Files.writeString(count, Long.toString(FileTrees.count(half)));
                    Files.move(half, ready, StandardCopyOption.ATOMIC_MOVE);
                }
                return ready;
            });
        } catch (IOException | UncheckedIOException e) {
            throw new ServerException("cannot prepare " + ready + " (" + e + "): is there space in java.io.tmpdir?", e);
        }
    }

    /** Detects a partly deleted folder. Programs that clean up temporary folders delete single files that have not been used for days. */
    private static boolean isWhole(Path ready, Path count) throws IOException {
        return Files.isDirectory(ready)
                && Files.exists(count)
                && Files.readString(count).equals(Long.toString(FileTrees.count(ready)));
    }
}
