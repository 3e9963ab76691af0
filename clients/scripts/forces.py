"""OpenMM's kinds of force on OpenCL beside its reference platform. Prints a line for each comparison."""
import sys
import numpy as np
import openmm as mm
from openmm import unit

mm.Platform.loadPluginsFromDirectory(mm.Platform.getDefaultPluginsDirectory())
names = [mm.Platform.getPlatform(i).getName() for i in range(mm.Platform.getNumPlatforms())]
if "OpenCL" not in names:
    sys.exit(f"OpenMM has no OpenCL platform: {mm.Platform.getPluginLoadFailures()}")
rng = np.random.default_rng(1)
SIDE, N = 3.0, 7  # nm, particles along an edge
grid = (np.stack(np.meshgrid(*[np.arange(N)] * 3), -1).reshape(-1, 3) + 0.5) * SIDE / N
positions = grid + rng.normal(0, 0.03, grid.shape)
count = len(positions)


def nonbonded(method):
    force = mm.NonbondedForce()
    for i in range(count):
        force.addParticle(0.4 if i % 2 else -0.4, 0.25, 0.5)
    if count % 2:
        force.setParticleParameters(0, 0.0, 0.25, 0.5)
    force.setNonbondedMethod(method)
    force.setCutoffDistance(0.9)
    force.setEwaldErrorTolerance(1e-5)
    return force


def bonded(make, atoms, *parameters):
    for i in range(0, count - atoms):
        make(*range(i, i + atoms), *parameters)


def forces():
    nb = mm.NonbondedForce
    for name, method in (("NoCutoff", nb.NoCutoff), ("CutoffPeriodic", nb.CutoffPeriodic), ("Ewald", nb.Ewald), ("PME", nb.PME), ("LJPME", nb.LJPME)):
        yield "NonbondedForce/" + name, nonbonded(method)
    f = mm.HarmonicBondForce(); bonded(f.addBond, 2, 0.3, 1000); yield "HarmonicBondForce", f
    f = mm.HarmonicAngleForce(); bonded(f.addAngle, 3, 1.9, 50); yield "HarmonicAngleForce", f
    f = mm.PeriodicTorsionForce(); bonded(f.addTorsion, 4, 3, 0.5, 4); yield "PeriodicTorsionForce", f
    f = mm.RBTorsionForce(); bonded(f.addTorsion, 4, 1, 2, 3, 1, 2, 3); yield "RBTorsionForce", f
    f = mm.CustomBondForce("k*(r-r0)^4+exp(-r)"); f.addPerBondParameter("k"); f.addGlobalParameter("r0", 0.3); bonded(f.addBond, 2, [700]); yield "CustomBondForce", f
    f = mm.CustomNonbondedForce("eps*(s/r)^9*step(1-r); s=0.5*(s1+s2); eps=sqrt(e1*e2)"); f.addPerParticleParameter("s"); f.addPerParticleParameter("e")
    for i in range(count):
        f.addParticle([0.2 + 0.01 * (i % 5), 1 + i % 3])
    f.setNonbondedMethod(mm.CustomNonbondedForce.CutoffPeriodic); f.setCutoffDistance(0.9); yield "CustomNonbondedForce", f
    f = mm.CustomExternalForce("x^2+sin(3*y)*z"); [f.addParticle(i, []) for i in range(count)]; yield "CustomExternalForce", f
    f = mm.GBSAOBCForce(); [f.addParticle(0.3 if i % 2 else -0.3, 0.15, 0.8) for i in range(count)]; yield "GBSAOBCForce", f
    f = mm.CMMotionRemover(); yield "CMMotionRemover", f
    f = mm.GayBerneForce(); [f.addParticle(0.3, 1, -1, -1, 0.2, 0.2, 0.2, 1, 1, 1) for i in range(count)]; yield "GayBerneForce", f
    f = mm.CustomHbondForce("k*(distance(a1,d1)-0.4)^2"); f.addGlobalParameter("k", 30); [f.addDonor(i, -1, -1, []) for i in range(0, count, 5)]; [f.addAcceptor(i, -1, -1, []) for i in range(2, count, 5)]; yield "CustomHbondForce", f
    f = mm.CustomManyParticleForce(3, "angle(p2,p1,p3)*distance(p1,p2)*distance(p1,p3)*c"); f.addGlobalParameter("c", 0.1); [f.addParticle([], 0) for i in range(count)]
    f.setPermutationMode(mm.CustomManyParticleForce.UniqueCentralParticle); f.setNonbondedMethod(mm.CustomManyParticleForce.CutoffPeriodic); f.setCutoffDistance(0.55); yield "CustomManyParticleForce", f


def evaluate(force, platform, properties):
    system = mm.System()
    for _ in range(count):
        system.addParticle(18.0)
    system.setDefaultPeriodicBoxVectors((SIDE, 0, 0), (0, SIDE, 0), (0, 0, SIDE))
    system.addForce(mm.XmlSerializer.deserialize(mm.XmlSerializer.serialize(force)))
    context = mm.Context(system, mm.VerletIntegrator(0.001), mm.Platform.getPlatformByName(platform), properties)
    context.setPositions(positions)
    state = context.getState(getForces=True, getEnergy=True)
    return (state.getForces(asNumpy=True).value_in_unit(unit.kilojoules_per_mole / unit.nanometer), state.getPotentialEnergy().value_in_unit(unit.kilojoules_per_mole))


for name, force in forces():
    for precision, tolerance in (("single", 2e-4), ("double", 1e-5)):
        label = f"{name}/{precision}"
        try:
            want, energy = evaluate(force, "Reference", {})
            got, energy_cl = evaluate(force, "OpenCL", {"OpenCLPrecision": precision})
        except Exception as e:  # OpenMMException and others
            print(f"fail {label}: {' '.join(str(e).split())[:300]}")
            continue
        error = np.abs(got - want).max() / max(np.abs(want).max(), 1.0)
        difference = abs(energy_cl - energy) / max(abs(energy), 1.0)
        print(f"pass {label}" if max(error, difference) <= tolerance else f"fail {label}: forces differ by {error:g} of the largest, the energy by {difference:g}; allowed {tolerance:g}")
