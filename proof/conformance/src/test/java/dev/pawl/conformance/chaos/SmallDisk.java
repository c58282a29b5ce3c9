package dev.pawl.conformance.chaos;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.pawl.servers.cluster.Command;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A small file system in memory, mounted on a folder, so that a test can fill it. */
final class SmallDisk implements AutoCloseable {
    private static final byte[] BLOCK = new byte[4096];

    private final Path folder;
    private final Path filler;

    /**
     * @param size as {@code mount} takes it
     * @param owner of the folder
     */
    SmallDisk(Path folder, String size, String owner) throws IOException {
        this.folder = folder;
        this.filler = folder.resolve("filler");
        Files.createDirectories(folder);
        close(); // left by an earlier run, which may have been killed
        Command.run(List.of("mount", "-t", "tmpfs", "-o", "mode=0700,size=" + size, "pawl", folder.toString()));
        Files.setOwner(
                folder, folder.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(owner));
    }

    /** Skips the test for a user who may not mount. */
    static void assume() {
        assumeTrue("root".equals(System.getProperty("user.name")), "only root can mount a disk");
    }

    /** Fills the file system. */
    void fill() throws IOException {
        try (OutputStream out = Files.newOutputStream(filler)) {
            while (true) {
                out.write(BLOCK);
            }
        } catch (IOException full) {
            System.out.printf("%s is full: %,d bytes to spare are gone%n", folder, Files.size(filler));
        }
    }

    /** Frees the space that {@link #fill} has taken. */
    void free() throws IOException {
        Files.delete(filler);
    }

    @Override
    public void close() throws IOException {
        Command.run(List.of("bash", "-c", "! mountpoint -q \"$1\" || umount -l \"$1\"", "_", folder.toString()));
    }
}
