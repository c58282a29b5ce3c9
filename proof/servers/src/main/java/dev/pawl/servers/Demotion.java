package dev.pawl.servers;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;

/**
 * How root runs PostgreSQL, which refuses to run as root. Preferably it runs in a separate user namespace, where the process is not root
 * but its files still belong to the caller. Where namespaces are forbidden, as in most containers, it runs as user 65534, the overflow user
 * of every Linux.
 *
 *
 * @param prefix of the command
 * @param owner of the data, if not the caller
 */
record Demotion(List<String> prefix, OptionalInt owner) {
    private static final int NOBODY = 65_534;

    static Demotion find() {
        try {
            if (ServerHome.user() != 0) {
                return new Demotion(List.of(), OptionalInt.empty());
            }
        } catch (IOException e) {
            throw new ServerException("cannot write to java.io.tmpdir: " + e, e);
        }
        if (Programs.succeeds("unshare", "-U", "true")) {
            return new Demotion(List.of("unshare", "-U"), OptionalInt.empty());
        }
        List<String> asNobody = List.of("setpriv", "--reuid=" + NOBODY, "--regid=" + NOBODY, "--clear-groups");
        if (Programs.succeeds("setpriv", asNobody.get(1), asNobody.get(2), asNobody.get(3), "true")) {
            return new Demotion(asNobody, OptionalInt.of(NOBODY));
        }
        throw new ServerException(
                "PostgreSQL refuses to run as root, and here neither 'unshare -U' (user namespaces) nor"
                        + " 'setpriv' works: install util-linux, or run as an ordinary user");
    }

    /** Gives the data to the user of the server. */
    void own(Path data) {
        owner.ifPresent(user -> FileTrees.give(data, user));
    }
}
