"""Settings of volumetric fog."""

from __future__ import annotations

from pydantic import BaseModel, Field


class VolumetricFogSettings(BaseModel):
    """User settings."""

    density: float = Field(0.02, ge=0.0, le=1.0, description="extinction per metre at the base height; 0: off")
    falloff: float = Field(0.15, ge=0.0, le=10.0, description="exponential falloff with height, per metre; 0: none")
    height: float = Field(0.0, ge=-1000.0, le=1000.0, description="base height in metres")
    range: float = Field(60.0, ge=1.0, le=1000.0, description="distance up to which it has shadows, in metres")
    reach: float = Field(2000.0, ge=10.0, le=100000.0, description="distance assumed for the sky, in metres")
    color: tuple[float, float, float] = Field((1.0, 1.0, 1.0), description="scattering albedo, linear")
    sun: float = Field(1.0, ge=0.0, le=10.0, description="scale of the scattered sunlight; 1 is physical")
    lamps: float = Field(1.0, ge=0.0, le=10.0, description="scale of the scattered light of lamps; 1 is physical")
    glow: float = Field(0.7, ge=-0.95, le=0.95, description="forward scattering (Henyey-Greenstein's g)")
    samples: int = Field(4, ge=1, le=32, description="places in each froxel at which light is computed")
    temporal: bool = Field(False, description="average over frames, at other places in each froxel")
    detail: float = Field(0.5, ge=0.125, le=1.0, description="columns of froxels for each 8 texels of the picture")
